// Package shared has the strategies for shared objects: greedy ones, greedy ones in stages, and a
// minimum cost flow.
package shared
