package shrink

import (
	"errors"
	"fmt"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/blocks"
	"github.com/tflarena/tflarena/rewrite/internal/parts"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/tflite"
)

// Bottleneck is the operator with the most live bytes.
type Bottleneck struct {
	// Operator is the index in a subgraph of the file that [Fit] ends with, or -1 if the peak
	// comes before the first operator; Name is its kind.
	Subgraph, Operator int
	Name               string
	// Bytes are the live bytes without in-place sharing. Scratch is the part requested by
	// kernels; Tensors hold the rest, largest first.
	Bytes, Scratch int64
	Tensors        []Alive
	// Reasons are sentences on why it is not tiled, or not tiled further.
	Reasons []string
}

// Alive is a live tensor.
type Alive struct {
	ID, Name string
	Bytes    int64
}

// bottleneck returns the operator at the peak of a rung, or nil if nothing is planned.
func bottleneck(own *tflite.Model, r *Candidate, device rules.Device) (*Bottleneck, error) {
	m, err := r.model(own)
	if err != nil {
		return nil, err
	}
	v, err := rules.Micro().View(m, -1)
	if err != nil {
		return nil, err
	}
	step, bytes, records, ok := atPeak(v, device.Requests(m))
	if !ok {
		return nil, nil
	}
	b := &Bottleneck{Subgraph: step.Subgraph, Operator: -1, Bytes: bytes, Scratch: bytes}
	for _, r := range records {
		b.Tensors = append(b.Tensors, Alive{ID: r.ID, Name: r.Name, Bytes: r.Size})
		b.Bytes += r.Size
	}
	if step.Operator >= 0 {
		b.Operator, b.Name = step.Operator, m.Subgraphs[step.Subgraph].Operators[step.Operator].Name
	}
	b.Reasons = reasons(v, step.Subgraph, step.Operator, r.Stages)
	return b, nil
}

// reasons returns sentences on why an operator is not tiled further.
func reasons(v *rules.View, subgraph, operator int, stages []split.Stage) []string {
	switch {
	case operator < 0:
		return []string{"the inputs of the model are in the arena, whole, before the first operator runs"}
	case subgraph != 0:
		return []string{fmt.Sprintf("it is in subgraph %d, and only subgraph 0 is cut", subgraph)}
	}
	m := v.Model
	record := blocks.Of(m)
	if tiled(m, record, operator) {
		why := fmt.Sprintf("it already works on pieces (runs of operators in pieces: %d), and no finer pieces were found that make the arena smaller", len(stages))
		return append([]string{why}, ends(m, operator)...)
	}
	rows, channels := parts.Cuttable(v)
	var list []string
	if why := reasonOf(rows[operator]); why != "" {
		list = append(list, "it cannot be cut into strips or tiles: "+why)
	}
	if why := reasonOf(channels[operator]); why != "" {
		list = append(list, "it cannot be cut along its channels: "+why)
	}
	list = append(list, ends(m, operator)...)
	switch {
	case rows[operator] == nil:
		list = append(list, neighbours(m, record, rows, operator, "into strips or tiles")...)
	case channels[operator] == nil:
		list = append(list, neighbours(m, record, channels, operator, "along their channels")...)
	}
	if len(list) == 0 {
		list = append(list, "it can be cut, but no way of cutting it was found that makes the arena smaller: each piece keeps data of its own in the tail")
	}
	return list
}

func reasonOf(err error) string {
	if e := (*split.UncuttableError)(nil); errors.As(err, &e) {
		return e.Reason
	}
	return ""
}

// tiled reports whether an operator of subgraph 0 reads or writes tiles.
func tiled(m *tflite.Model, record *blocks.Record, operator int) bool {
	return record.Tiled(0, &m.Subgraphs[0].Operators[operator])
}

// ends describes the tensors of an operator that the application reads or writes; tiling does
// not reduce these.
func ends(m *tflite.Model, operator int) (list []string) {
	s := &m.Subgraphs[0]
	o := &s.Operators[operator]
	for _, t := range o.Inputs {
		if t >= 0 && s.Tensors[t].Input {
			list = append(list, fmt.Sprintf("its input, tensor 0:%d, is an input of the model, which the application writes as a whole", t))
		}
	}
	for _, t := range o.Outputs {
		if t >= 0 && s.Tensors[t].Returned {
			list = append(list, fmt.Sprintf("its output, tensor 0:%d, is an output of the model, which the application reads as a whole", t))
		}
	}
	return list
}

// neighbours describes the operators that bound the tileable run around an operator: tensors
// exchanged with them are whole.
func neighbours(m *tflite.Model, record *blocks.Record, cuttable []error, operator int, how string) (list []string) {
	for _, step := range []int{-1, 1} {
		at := operator + step
		for at >= 0 && at < len(cuttable) && cuttable[at] == nil {
			at += step
		}
		if at < 0 || at >= len(cuttable) {
			continue
		}
		side := "after"
		if step > 0 {
			side = "before"
		}
		why := reasonOf(cuttable[at])
		if tiled(m, record, at) {
			why = "it already works on pieces"
		}
		list = append(list, fmt.Sprintf("the run of operators that can be cut %s with it ends %s operator 0:%d %s, which cannot be cut that way: %s",
			how, side, at, m.Subgraphs[0].Operators[at].Name, why))
	}
	return list
}
