package modeldiff

import "golang.org/x/exp/slices"

// A List is the changes of operators or tensors. Lists are in file order, by A except for Added.
type List[T any] struct {
	// Number present in both models.
	Matched int `json:"matched"`
	// Present in both models, but not the same.
	Changed []Change[T] `json:"changed"`
	// Present in the second model only.
	Added []T `json:"added"`
	// Present in the first model only.
	Removed []T `json:"removed"`
}

// A Change is an operator or a tensor that differs between both models.
type Change[T any] struct {
	A T `json:"a"`
	B T `json:"b"`
	// Parts that differ. Operators: `order`, `kind`, `version`, `inputs`, `outputs`, `intermediates`, `subgraphs`,
	// `options`. Tensors: `index`, `name`, `size`, `role`, `data`.
	Changed []string `json:"changed"`
}

// Unmatched counts the elements of only one of the models.
func (l *List[T]) Unmatched() int { return len(l.Added) + len(l.Removed) }

// Differing counts the elements with a differing part for which is returns true.
func (l *List[T]) Differing(is func(part string) bool) int {
	n := 0
	for _, c := range l.Changed {
		if slices.ContainsFunc(c.Changed, is) {
			n++
		}
	}
	return n
}
