package split_test

import (
	"encoding/binary"
	"fmt"
	"math"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// A network is a model under construction.
type network struct {
	t     *rapid.T
	sub   encode.Subgraph
	data  []encode.Buffer
	kind  schema.TensorType
	zeros []float64 // by tensor
	// open are the tensors that were made, and read counts who reads them.
	open []int
	read map[int]int
}

// pick draws a number, by preference one of those first in line.
func (n *network) pick(label string, from, to int) int {
	return rapid.IntRange(from, to).Draw(n.t, label)
}

func (n *network) tensor(shape ...int32) int {
	n.sub.Tensors = append(n.sub.Tensors, encode.Tensor{
		Name: fmt.Sprintf("t%d", len(n.sub.Tensors)), Type: n.kind, Shape: shape,
	})
	zero := 0.0
	if n.kind == schema.TensorTypeINT8 {
		zero = float64(7*len(n.zeros)%23 - 11)
	}
	n.zeros = append(n.zeros, zero)
	return len(n.sub.Tensors) - 1
}

// constant adds values that differ from each other.
func (n *network) constant(shape ...int32) int {
	i := n.tensor(shape...)
	count := 1
	for _, d := range shape {
		count *= int(d)
	}
	var data []byte
	for k := range count {
		v := (k*37+i*11)%29 - 14
		if n.kind == schema.TensorTypeFLOAT32 {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(v)/16))
		} else {
			data = append(data, byte(int8(v)))
		}
	}
	return n.embed(i, data)
}

func (n *network) int32s(shape []int32, list ...int32) int {
	i := n.tensor(shape...)
	n.sub.Tensors[i].Type = schema.TensorTypeINT32
	var data []byte
	for _, v := range list {
		data = binary.LittleEndian.AppendUint32(data, uint32(v))
	}
	return n.embed(i, data)
}

func (n *network) embed(i int, data []byte) int {
	n.data = append(n.data, encode.Buffer{Data: data})
	n.sub.Tensors[i].Buffer = len(n.data)
	return i
}

func (n *network) shape(i int) []int32 { return n.sub.Tensors[i].Shape }

// add adds an operator.
func (n *network) add(o encode.Operator, out int, inputs ...int) int {
	o.Inputs, o.Outputs = inputs, []int{out}
	n.sub.Operators = append(n.sub.Operators, o)
	for _, i := range inputs {
		n.read[i]++
	}
	n.open = append(n.open, out)
	return out
}

// randomNetwork returns a small network that leads to one tensor, and its zero points.
func randomNetwork(t *rapid.T) (*tflite.Model, []float64) {
	if rapid.Bool().Draw(t, "int8") {
		return networkOf(t, schema.TensorTypeINT8)
	}
	return networkOf(t, schema.TensorTypeFLOAT32)
}

func networkOf(t *rapid.T, kind schema.TensorType) (*tflite.Model, []float64) {
	n := &network{t: t, read: map[int]int{}, kind: kind}
	n.sub.Name = "main"
	in := n.tensor(1, int32(n.pick("height", 1, 17)), int32(n.pick("width", 1, 9)), int32(n.pick("channels", 1, 3)))
	n.sub.Inputs = []int{in}
	n.open = []int{in}
	for range n.pick("operators", 1, 8) {
		n.step()
	}
	n.close()
	return n.model()
}

// model returns the network as a model, whose output is the last tensor, and its zero points.
func (n *network) model() (*tflite.Model, []float64) {
	n.sub.Outputs = []int{n.open[len(n.open)-1]}
	m := encode.Model{Subgraphs: []encode.Subgraph{n.sub}, Buffers: n.data}
	model, err := tflite.Parse(encode.Encode(m), "random")
	if err != nil {
		n.t.Fatal(err)
	}
	return model, n.zeros
}

// step adds an operator to a tensor that was made lately, or to an older one.
func (n *network) step() {
	back := n.pick("back", 0, min(2, len(n.open)-1))
	n.grow(n.open[len(n.open)-1-back])
}

// close brings all tensors that nothing reads together: those of equal size are added
// and joined, of others one goes on.
func (n *network) close() {
	last := n.open[len(n.open)-1]
	for _, i := range n.open[:len(n.open)-1] {
		if n.read[i] > 0 {
			continue
		}
		a, b := n.shape(i), n.shape(last)
		if a[1] != b[1] || a[2] != b[2] {
			n.sub.Operators = drop(n.sub.Operators, i)
			continue
		}
		if a[3] == b[3] && n.pick("joint", 0, 1) == 0 {
			last = n.binary(i, last)
		} else {
			last = n.concat(i, last)
		}
	}
}

// drop takes the operator that makes a tensor out, which nothing reads.
func drop(list []encode.Operator, out int) []encode.Operator {
	var kept []encode.Operator
	for _, o := range list {
		if o.Outputs[0] != out {
			kept = append(kept, o)
		}
	}
	return kept
}

func (n *network) grow(in int) {
	switch n.pick("kind", 0, 8) {
	case 0, 1:
		n.conv(in)
	case 2:
		n.depthwise(in)
	case 3:
		n.pool(in)
	case 4:
		n.pad(in)
	case 5:
		n.add(encode.Operator{Builtin: schema.BuiltinOperatorRELU}, n.tensor(n.shape(in)...), in)
	case 6:
		n.broadcast(in)
	case 7:
		n.residual(in)
	case 8:
		n.more(in)
	}
}
