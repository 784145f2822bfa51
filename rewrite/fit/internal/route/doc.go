// Package route finds the cheapest path through a model whose parts have memory plans that
// fit together.
//
// It reads in this order: [Links] keeps the link of a memory plan that each part is
// (links.go). A [Router] looks for paths within one limit of the arena (route.go): a shortest
// path over stops, which are boundaries with the place of the tensor that is alive there
// (walk.go, steps.go). It asks for plans of one part after the other, with the tensor that the
// part hands on in some places (plans.go).
package route
