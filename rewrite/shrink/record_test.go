package shrink

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/blocks"
	"github.com/tflarena/tflarena/rewrite/restore"
	"github.com/tflarena/tflarena/tflite"
)

// TestRecord: the file of a fitted model has a record of its tiled blocks, and keeps it when other
// rewrites move operators, or take the memory plan out and put it in again. The original is restored from
// all of these files.
func TestRecord(t *testing.T) {
	m := wide(t, 3)
	g := goal()
	g.HeadBudget = ownOf(t, m).Head * 6 / 10
	r := run(t, t.Context(), m, g)
	best := &r.Steps[r.Best]
	if !r.Met || len(best.Stages) == 0 {
		t.Fatalf("met %v in %d stages", r.Met, len(best.Stages))
	}
	fitted := modelfile.Parse(t, best.Data)
	want, err := blocks.Read(fitted)
	if err != nil || len(want.Blocks) != len(best.Stages) || best.record != blocks.Size(fitted) || best.record == 0 {
		t.Fatalf("%v: %v in a model of %d stages, %d B", err, want, len(best.Stages), best.record)
	}
	unplanned, err := rewrite.Remove(fitted, rewrite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*tflite.Model) (*rewrite.Result, error){
		"removed": func(m *tflite.Model) (*rewrite.Result, error) { return rewrite.Remove(m, rewrite.Options{}) },
		"planned": func(m *tflite.Model) (*rewrite.Result, error) {
			return rewrite.Embed(m, make([]int32, len(m.Subgraphs[0].Tensors)), rewrite.Options{})
		},
		"reordered": func(m *tflite.Model) (*rewrite.Result, error) {
			return rewrite.Reorder(m, [][]int{swapped(t, m)}, rewrite.Options{})
		},
	} {
		for _, before := range []*tflite.Model{fitted, modelfile.Parse(t, unplanned.Data)} {
			result, err := change(before)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			got, err := blocks.Read(modelfile.Parse(t, result.Data))
			if diff := cmp.Diff(want, got); diff != "" || err != nil {
				t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
			}
			restored, err := restore.Model(modelfile.Parse(t, result.Data), rewrite.Options{})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if diff := cmp.Diff(sample.GraphOf(m), sample.GraphOf(restored)); diff != "" {
				t.Errorf("%s: (-original +restored)\n%s", name, diff)
			}
		}
	}
}

// swapped returns an order in which two operators change places that may.
func swapped(t *testing.T, m *tflite.Model) []int {
	t.Helper()
	n := len(m.Subgraphs[0].Operators)
	for i := range n - 1 {
		order := make([]int, n)
		for k := range order {
			order[k] = k
		}
		order[i], order[i+1] = i+1, i
		if _, err := rewrite.Reorder(m, [][]int{order}, rewrite.Options{}); err == nil {
			return order
		}
	}
	t.Fatal("no two operators may change places")
	return nil
}

// TestNamesMeanNothing: a tensor that is called like a tile is a tensor like any other.
func TestNamesMeanNothing(t *testing.T) {
	m, err := tflite.Open(corpus.Model(t, "person_detect.tflite").Path)
	if err != nil {
		t.Fatal(err)
	}
	const name, tile = "MobilenetV1/MobilenetV1/Conv2d_1_depthwise/Relu6", "/rows 0-3"
	called := strings.Repeat("x", len(name)-len(tile)) + tile
	data := bytes.Replace(m.Data, []byte(name+"\x00"), []byte(called+"\x00"), 1)
	renamed, err := tflite.Parse(data, m.Name)
	if err != nil || bytes.Equal(data, m.Data) {
		t.Fatal("the tensor was not renamed", err)
	}
	g := goal()
	g.HeadBudget = 27648
	want, got := run(t, t.Context(), m, g), run(t, t.Context(), renamed, g)
	if a, b := want.Steps[want.Best], got.Steps[got.Best]; !want.Met || !got.Met || a.Head != b.Head || a.Required != b.Required {
		t.Errorf("met %v, head %d, arena %d; renamed: met %v, head %d, arena %d", want.Met, a.Head, a.Required, got.Met, b.Head, b.Required)
	}
}
