// Package route finds the cheapest path through a model whose parts have compatible memory
// plans.
//
// Reading order: [Links] caches the link of a memory plan for each part (links.go). A [Router]
// searches for paths within one limit of the arena (route.go): a shortest path over stops,
// which are boundaries with the offset of the tensor live there (walk.go, steps.go). It plans
// one part after the other, with several offsets of the part's handed-on tensor (plans.go).
package route
