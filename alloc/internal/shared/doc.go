// Package shared has the strategies for shared objects: greedy ones, greedy ones in stages,
// and one that finds a minimum cost flow.
package shared
