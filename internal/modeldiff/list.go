package modeldiff

import "golang.org/x/exp/slices"

// A List says what became of the operators or the tensors of A. All lists are in
// the order of the file, A's but for Added.
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

// A Change is an operator or a tensor that both models have, but not the same.
type Change[T any] struct {
	A T `json:"a"`
	B T `json:"b"`
	// Parts that differ. Operators: `order`, `kind`, `version`, `inputs`, `outputs`, `intermediates`, `subgraphs`,
	// `options`. Tensors: `index`, `name`, `size`, `role`, `data`.
	Changed []string `json:"changed"`
}

// Unmatched counts the elements that only one of the models has.
func (l *List[T]) Unmatched() int { return len(l.Added) + len(l.Removed) }

// Differing counts the elements that differ in a part for which is returns true.
func (l *List[T]) Differing(is func(part string) bool) int {
	n := 0
	for _, c := range l.Changed {
		if slices.ContainsFunc(c.Changed, is) {
			n++
		}
	}
	return n
}
