package results

import (
	"github.com/tflarena/tflarena/internal/modeldiff"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/tflite"
)

// A Tensor is a planned tensor.
type Tensor struct {
	// SUBGRAPH:INDEX of a tensor of a model, the name of a scratch request, or the id of a row of a CSV problem.
	ID string `json:"id"`
	// Name in the file.
	Name string `json:"name"`
	// Dimensions as in the file, -1 if unknown. Absent for anything that is not a tensor of a model.
	Shape []int32 `json:"shape,omitzero"`
	// Element type as in the file, such as INT8. Absent for anything that is not a tensor of a model.
	DType string `json:"dtype,omitempty"`
	// Memory of the tensor in bytes, as the runtime rounds it.
	SizeBytes int64 `json:"size_bytes"`
	// First position at which the tensor is alive, inclusive; negative before the run.
	FirstOp int `json:"first_op"`
	// Last position at which the tensor is alive, inclusive; negative before the run.
	LastOp int `json:"last_op"`
}

// NewTensor returns a record for reports. Places are the tensors of the model by their IDs, nil for the
// rows of a problem.
func NewTensor(places Places, r lifetime.Record) Tensor {
	t := Tensor{ID: r.ID, Name: r.Name, SizeBytes: r.Size, FirstOp: r.First, LastOp: r.Last}
	if x := places[r.ID]; x != nil {
		t.Shape, t.DType = modeldiff.Shape(x), x.Type.String()
	}
	return t
}

// Places are the tensors of a model by their IDs.
type Places map[string]*tflite.Tensor

// PlacesOf returns the tensors of a model's records, which come first among all records of the model.
func PlacesOf(m *tflite.Model, u *lifetime.Usage) Places {
	places := make(Places, len(u.Places))
	for i, at := range u.Places {
		places[u.Records[i].ID] = &m.Subgraphs[at.Subgraph].Tensors[at.Tensor]
	}
	return places
}
