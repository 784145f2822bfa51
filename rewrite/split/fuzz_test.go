package split_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// FuzzCut: a stage is cut or refused, and the result refers only to existing tensors.
func FuzzCut(f *testing.F) {
	for _, name := range []string{"pretrainedResnet_quant"} {
		if dir := corpus.Find(); dir != "" {
			if data, err := os.ReadFile(filepath.Join(dir, "models", "micro", name+".tflite")); err == nil {
				f.Add(data, uint16(0), uint16(3), uint16(2), uint16(2), byte(0))
			}
		}
	}
	for seed := range 20 {
		data := rapid.Custom(func(t *rapid.T) []byte {
			m, _ := randomNetwork(t)
			return m.Data
		}).Example(seed)
		f.Add(data, uint16(0), uint16(2), uint16(seed), uint16(2), byte(seed))
		wide := rapid.Custom(func(t *rapid.T) []byte {
			m, _ := wideNetwork(t, schema.TensorTypeINT8)
			return m.Data
		}).Example(seed)
		f.Add(wide, uint16(seed%3), uint16(seed%3+seed%2), uint16(2), uint16(1), byte(4))
	}
	f.Fuzz(func(t *testing.T, data []byte, first, last, rows, columns uint16, way byte) {
		m, err := tflite.Parse(data, "fuzz")
		if err != nil || len(m.Subgraphs) == 0 {
			return
		}
		s := split.Stage{
			First: int(first), Last: int(last), Rows: int(rows), Columns: int(columns),
			Mode: split.Mode(way & 1), Carry: way&2 > 0, Widen: way&16 > 0,
		}
		if way&4 > 0 {
			s.Channels, s.Rows, s.Columns = s.Rows, 1, 1
		}
		if way&8 > 0 {
			s.Tiles, s.Rows, s.Columns = s.Rows*s.Columns, 1, 1
		}
		split.Cuttable(m)
		split.ChannelCuttable(m)
		n := 0
		for range split.Runs(m) {
			if n++; n > 1000 {
				break
			}
		}
		for range split.ChannelRuns(m, 0) {
			if n++; n > 2000 {
				break
			}
		}
		base := len(m.Subgraphs[0].Tensors)
		fragment, err := split.Cut(m, s, base)
		if e := new(split.UncuttableError); err != nil && !errors.As(err, &e) {
			t.Fatal(err)
		} else if err != nil {
			return
		}
		for _, o := range fragment.Operators {
			for _, i := range append(append([]int{}, o.Inputs...), o.Outputs...) {
				if i < -1 || i >= base+len(fragment.Tensors) {
					t.Fatalf("%+v: there are %d tensors", o, base+len(fragment.Tensors))
				}
			}
		}
	})
}
