// Package shared holds the strategies for shared objects: greedy ones, those in stages, and
// by a minimum cost flow.
package shared
