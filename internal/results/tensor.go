package results

import (
	"github.com/tflarena/tflarena/internal/modeldiff"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/tflite"
)

// A Tensor is a planned tensor.
type Tensor struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// Shape and DType are the file's; they are left out of what is no tensor of a model:
	// scratch, and the rows of a CSV problem.
	Shape     []int32 `json:"shape,omitzero"`
	DType     string  `json:"dtype,omitempty"`
	SizeBytes int64   `json:"size_bytes"`
	FirstOp   int     `json:"first_op"`
	LastOp    int     `json:"last_op"`
}

// NewTensor returns a record as reports have it. Places are the tensors of the model by their
// IDs, nil for the rows of a problem.
func NewTensor(places Places, r lifetime.Record) Tensor {
	t := Tensor{ID: r.ID, Name: r.Name, SizeBytes: r.Size, FirstOp: r.First, LastOp: r.Last}
	if x := places[r.ID]; x != nil {
		t.Shape, t.DType = modeldiff.Shape(x), x.Type.String()
	}
	return t
}

// Places are the tensors of a model by their IDs.
type Places map[string]*tflite.Tensor

// PlacesOf returns the tensors of a model that records describe, which come first among all
// records of the model.
func PlacesOf(m *tflite.Model, u *lifetime.Usage) Places {
	places := make(Places, len(u.Places))
	for i, at := range u.Places {
		places[u.Records[i].ID] = &m.Subgraphs[at.Subgraph].Tensors[at.Tensor]
	}
	return places
}
