package rules

import (
	"fmt"

	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime/rules/internal/kernels"
	"github.com/tflarena/tflarena/tflite"
)

// A Waste is unused scratch requested by library kernels.
type Waste struct {
	// Subgraph and Operator identify the operator with the most unused bytes, Name is its name,
	// and Operators counts all operators of that name with the same reason.
	Subgraph, Operator int
	Name               string
	Operators          int
	// Bytes is the request of Operator; Reason explains why it is unused.
	Bytes  int64
	Reason string
}

func (w Waste) String() string {
	text := fmt.Sprintf("operator %d:%d %s requests %s of scratch that it does not use: %s", w.Subgraph, w.Operator, w.Name, units.ExactBytes(w.Bytes), w.Reason)
	if w.Operators > 1 {
		text += fmt.Sprintf(" (%d operators, this one the most)", w.Operators)
	}
	return text
}

// UnusedScratch returns the unused scratch that the kernels of a library request for a model:
// none for the reference kernels and for an unknown library.
func UnusedScratch(m *tflite.Model, library string) (list []Waste) {
	device, err := UsualDevice(library)
	if err != nil {
		return nil
	}
	type kind struct{ name, reason string }
	index := map[kind]int{}
	kernels.Each(m, device.build(), func(k *kernels.Kernel) {
		bytes, reason := k.Unused()
		if reason == "" {
			return
		}
		at, known := index[kind{k.Name(), reason}]
		if !known {
			at = len(list)
			index[kind{k.Name(), reason}] = at
			list = append(list, Waste{Name: k.Name(), Reason: reason})
		}
		w := &list[at]
		if w.Operators++; bytes > w.Bytes {
			w.Subgraph, w.Operator, w.Bytes = k.Subgraph, k.Operator, bytes
		}
	})
	return list
}
