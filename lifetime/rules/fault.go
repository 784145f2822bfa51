package rules

import (
	"fmt"

	"github.com/tflarena/tflarena/internal/commas"
	"github.com/tflarena/tflarena/lifetime/rules/internal/kernels"
	"github.com/tflarena/tflarena/tflite"
)

// A Fault is what a kernel library gets wrong with operators of a model.
type Fault struct {
	// Subgraph and Operator are those of the first operator, Name is its name, and Operators
	// counts all with the same fault.
	Subgraph, Operator int
	Name               string
	Operators          int
	// Consequence says what comes of it, as the end of a sentence. Where it counts bytes, they
	// are those of the operator with the most.
	Consequence string
	// Stops says that the first run of the model fails.
	Stops bool
}

func (f Fault) String() string {
	text := fmt.Sprintf("operator %d:%d %s %s", f.Subgraph, f.Operator, f.Name, f.Consequence)
	if f.Operators > 1 {
		text += fmt.Sprintf("; so do %d more, none with a larger number", f.Operators-1)
	}
	return text
}

// Faults returns what a kernel library gets wrong with a model, none for the reference kernels and
// for a library that is not known. Operators of one kind with the same fault are one.
func Faults(m *tflite.Model, library string) []Fault {
	target, err := UsualTarget(library)
	if err != nil {
		return nil
	}
	type kind struct{ name, consequence string }
	var list []Fault
	var most []int64
	index := map[kind]int{}
	kernels.Each(m, target.build, func(k *kernels.Kernel) {
		f := k.Fault()
		if f.Consequence == "" {
			return
		}
		at, known := index[kind{k.Name(), f.Consequence}]
		if !known {
			at = len(list)
			index[kind{k.Name(), f.Consequence}] = at
			list, most = append(list, Fault{Operators: 0}), append(most, -1)
		}
		if list[at].Operators++; f.Bytes > most[at] {
			list[at] = Fault{Subgraph: k.Subgraph, Operator: k.Operator, Name: k.Name(), Operators: list[at].Operators, Consequence: f.Consequence, Stops: f.Stops}
			most[at] = f.Bytes
		}
	})
	for i, bytes := range most {
		if bytes > 0 {
			list[i].Consequence = fmt.Sprintf(list[i].Consequence, commas.Bytes(bytes))
		}
	}
	return list
}

// UnsupportedBy is [Unsupported] with the kernels of a library: what the reference kernels refuse,
// and what makes the first run fail with those of the library.
func UnsupportedBy(m *tflite.Model, library string) []Obstacle {
	list := Unsupported(m)
	for _, f := range Faults(m, library) {
		if f.Stops {
			list = append(list, Obstacle{
				Subgraph: f.Subgraph, Operator: f.Operator, Name: f.Name, Phase: Eval,
				Reason: f.Consequence + ", with the " + library + " kernels",
			})
		}
	}
	return list
}
