package rewrite

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/tflite"
)

// NewOperators returns the kinds of operators of m that old does not have, by name, so that an application must add
// them to the operator resolver of its runtime.
func NewOperators(old, m *tflite.Model) (names []string) {
	known := map[string]bool{}
	each := func(m *tflite.Model, f func(name string)) {
		for s := range m.Subgraphs {
			for i := range m.Subgraphs[s].Operators {
				f(m.Subgraphs[s].Operators[i].Name)
			}
		}
	}
	each(old, func(name string) { known[name] = true })
	each(m, func(name string) {
		if !known[name] {
			known[name] = true
			names = append(names, name)
		}
	})
	slices.Sort(names)
	return names
}
