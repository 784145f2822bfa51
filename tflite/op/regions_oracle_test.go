package op_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// TestRegionsInRuntimes checks real kernels: a part of an output is the same, bit for bit, if
// all input elements that it does not read are changed.
func TestRegionsInRuntimes(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: the real runtimes take a while")
	}
	runtimes, r := oracle.Start(t), rand.New(rand.NewPCG(7, 7))
	dir, parts, moved, ran := t.TempDir(), 0, 0, map[string]bool{}
	for _, d := range definitions() {
		if slices.Contains([]schema.BuiltinOperator{schema.BuiltinOperatorSELECT, schema.BuiltinOperatorGATHER, schema.BuiltinOperatorGATHER_ND, schema.BuiltinOperatorEMBEDDING_LOOKUP, schema.BuiltinOperatorONE_HOT, schema.BuiltinOperatorREVERSE_SEQUENCE}, d.code) {
			continue // they read indexes
		}
		m := d.model(t)
		for output, shape := range d.outputs {
			regions := op.Regions(m, &m.Subgraphs[0], &m.Subgraphs[0].Operators[0], output)
			for range 4 {
				p := probe{definition: d, output: output, box: anyBox(r, shape), seed: r.Uint64()}
				before, after, within := p.file(regions, nobody), p.file(regions, outside), p.file(regions, inside)
				if bytes.Equal(before, after) {
					continue // all is read
				}
				for _, runtime := range []string{"litert", "tflm"} {
					want, got := p.run(t, runtimes, runtime, dir, before), p.run(t, runtimes, runtime, dir, after)
					if want == "" {
						continue
					}
					if p.run(t, runtimes, runtime, dir, within) != want {
						moved++
					}
					if parts, ran[runtime+" "+d.code.String()] = parts+1, true; got != want {
						t.Errorf("%s: %s: box %v of output %d depends on more than %v", runtime, d.name, p.box, output, regions)
					}
				}
			}
		}
	}
	t.Logf("%d parts of outputs, of %d kinds of kernels; %d change with what is read", parts, len(ran), moved)
	if parts < 250 || len(ran) < 40 || moved < parts*9/10 {
		t.Errorf("%d parts of outputs, of %d kinds of kernels; %d change with what is read", parts, len(ran), moved)
	}
}

// The changed input elements: none, those that are not read for a part of the output, or those
// that are.
const (
	nobody = iota
	outside
	inside
)

func anyBox(r *rand.Rand, shape []int32) (box op.Box) {
	for _, d := range shape {
		from := r.Int64N(int64(d))
		box = append(box, op.Span{From: from, To: from + 1 + r.Int64N(int64(d)-from)})
	}
	return box
}

// A probe is an operator on constants; a part of one output is extracted.
type probe struct {
	definition
	output int
	box    op.Box
	seed   uint64
}

// file returns the model with some elements changed.
func (p probe) file(regions []op.Region, others int) []byte {
	m, r := p.sample.encoded(), rand.New(rand.NewPCG(p.seed, 1))
	s := &m.Subgraphs[0]
	for i, in := range p.in {
		shape, ok := in.([]int32)
		if !ok {
			continue
		}
		m.Buffers = append(m.Buffers, encode.Buffer{Data: elements(r, shape, regions[i], p.box, others)})
		s.Tensors[s.Operators[0].Inputs[i]].Buffer = len(m.Buffers)
	}
	begin, size := numbers{}, numbers{}
	for _, span := range p.box {
		begin, size = append(begin, int32(span.From)), append(size, int32(span.To-span.From))
	}
	cut := sample{code: schema.BuiltinOperatorSLICE, in: []any{begin, size}}.encoded()
	slice := encode.Operator{Builtin: schema.BuiltinOperatorSLICE, Inputs: []int{s.Operators[0].Outputs[p.output]}, Outputs: []int{len(s.Tensors)}}
	s.Tensors = append(s.Tensors, encode.Tensor{Name: "part", Shape: size})
	for i, b := range cut.Buffers {
		m.Buffers = append(m.Buffers, b)
		constant := cut.Subgraphs[0].Tensors[i]
		constant.Buffer = len(m.Buffers)
		slice.Inputs = append(slice.Inputs, len(s.Tensors))
		s.Tensors = append(s.Tensors, constant)
	}
	s.Operators, s.Outputs = append(s.Operators, slice), []int{slice.Outputs[0]}
	return encode.Encode(m)
}

// elements returns floats for an input, with some elements changed.
func elements(r *rand.Rand, shape []int32, region op.Region, box op.Box, others int) (data []byte) {
	read := region.Reads(box)
	all := make(op.Box, len(shape))
	for i, d := range shape {
		all[i] = op.Span{To: int64(d)}
	}
	each(all, func(at []int) {
		where, x := inside, float32(r.Float64()*2-1)
		for i, k := range at {
			if int64(k) < read[i].From || int64(k) >= read[i].To {
				where = outside
			}
		}
		if others == where {
			x = 3*x + 5
		}
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
	})
	return data
}

// run returns a digest of the part, or "" if the runtime rejects the model.
func (p probe) run(t *testing.T, runtimes *oracle.Runtimes, runtime, dir string, file []byte) string {
	t.Helper()
	if _, err := tflite.Parse(file, p.name); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "probe.tflite")
	if err := os.WriteFile(path, file, 0o644); err != nil {
		t.Fatal(err)
	}
	a := runtimes.Run(t, oracle.Request{Runtime: runtime, Model: path, Arena: 1 << 20, Outputs: 1, Seed: 1, Invokes: 1})
	if a.Error != "" {
		return ""
	}
	return a.Outputs[0][0]
}
