package restore_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/testkit/builtin"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/blocks"
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/rewrite/pin"
	"github.com/tflarena/tflarena/rewrite/restore"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/tflite"
)

// tiled returns a model with up to three stages tiled at random and recorded, or nil if it has none, and
// the model that these are to be restored to: operators that depend on constants alone come first.
func tiled(t *testing.T, m *tflite.Model, r *rand.Rand) (cut, want *tflite.Model, stages []split.Stage) {
	t.Helper()
	sub := &m.Subgraphs[0]
	e, record, at := edit.Edit{}, &blocks.Record{}, 0
	var order []int
	keep := func(to int) {
		for ; at < to; at++ {
			e.Operators, order = append(e.Operators, edit.Operator{Kind: edit.Keep, Of: at}), append(order, at)
		}
	}
	for range 3 {
		s, ok := stage(m, r, at)
		if !ok {
			break
		}
		f, err := split.Cut(m, s, len(sub.Tensors)+len(e.Tensors))
		if err != nil {
			continue
		}
		keep(s.First)
		e.Tensors, e.Operators, at = append(e.Tensors, f.Tensors...), append(e.Operators, f.Operators...), s.Last+1
		for _, o := range f.Operators {
			if o.Kind == edit.Keep {
				order = append(order, o.Of)
			}
		}
		for i := s.First; i <= s.Last; i++ {
			if !slices.Contains(order, i) {
				order = append(order, i)
			}
		}
		if b := f.Block(); b != nil {
			stages, record.Blocks = append(stages, s), append(record.Blocks, *b)
		}
	}
	if len(stages) == 0 {
		return nil, nil, nil
	}
	keep(len(sub.Operators))
	data, err := record.Encode()
	if err != nil {
		t.Fatal(err)
	}
	e.Metadata = &edit.Metadata{Name: blocks.Name, Data: data}
	result, err := edit.Apply(m, e, rewrite.Options{Force: true})
	if err != nil {
		return nil, nil, nil // refused
	}
	orders := make([][]int, len(m.Subgraphs))
	orders[0] = order
	reordered, err := rewrite.Reorder(m, orders, rewrite.Options{Force: true})
	if err != nil {
		t.Fatal(err)
	}
	return modelfile.Parse(t, result.Data), modelfile.Parse(t, reordered.Data), stages
}

// stage draws a stage that begins at an operator or after it.
func stage(m *tflite.Model, r *rand.Rand, from int) (s split.Stage, ok bool) {
	s = split.Stage{Rows: 1, Columns: 1, Carry: r.IntN(2) == 1, Widen: r.IntN(2) == 1}
	if r.IntN(3) == 0 {
		var all []split.ChannelRun
		for run := range split.ChannelRuns(m, 4) {
			if run.First >= from {
				all = append(all, run)
			}
		}
		if len(all) > 0 {
			run := all[r.IntN(len(all))]
			s.First, s.Last, s.Channels = run.First, run.Last, min(run.Most, 2+r.IntN(4))
			return s, true
		}
	}
	var all []split.Run
	for run := range split.Runs(m) {
		if run.First >= from && run.Last < run.First+20 {
			all = append(all, run)
		}
	}
	if len(all) == 0 {
		return s, false
	}
	run := all[r.IntN(len(all))]
	s.First, s.Last = run.First, run.Last
	if r.IntN(4) == 0 { // several inputs, if that is possible
		s.First = max(from, s.First-r.IntN(8))
	}
	switch r.IntN(4) {
	case 0:
		s.Rows = min(run.Height, 2+r.IntN(14))
	case 1:
		s.Rows, s.Columns = min(run.Height, 2+r.IntN(3)), min(run.Width, 2+r.IntN(3))
	case 2:
		s.Tiles = min(run.Height*run.Width, 2+r.IntN(9))
	case 3:
		s.Rows, s.Mode = min(run.Height, 2+r.IntN(9)), split.Keep
	}
	return s, true
}

// small visits the models of the corpus up to some size in bytes.
func small(t *testing.T, most int, visit func(m *tflite.Model)) {
	t.Helper()
	for _, file := range corpus.Models(t) {
		m, err := tflite.Open(file.Path)
		if err == nil && len(m.Data) <= most && len(m.Subgraphs) > 0 {
			visit(m)
		}
	}
}

// TestModel restores the models that random stages were tiled of.
func TestModel(t *testing.T) {
	most, times, least := 2<<20, 2, 80
	if testing.Short() {
		most, times, least = 1<<18, 1, 10
	}
	count, kinds := 0, map[string]int{}
	r := rand.New(rand.NewPCG(1, 0))
	check := func(m *tflite.Model) {
		for range times {
			cut, want, stages := tiled(t, m, r)
			if cut == nil {
				continue
			}
			what := fmt.Sprintf("%s %+v", filepath.Base(m.Name), stages)
			got, err := restore.Model(cut, rewrite.Options{Force: true})
			if err != nil {
				t.Errorf("%s: %v", what, err)
				continue
			}
			if diff := cmp.Diff(sample.GraphOf(want), sample.GraphOf(got)); diff != "" {
				t.Errorf("%s: (-original +restored)\n%s", what, diff)
				continue
			}
			if again, err := restore.Model(got, rewrite.Options{}); again != got || err != nil {
				t.Errorf("%s: restored again: %v", what, err)
			}
			if a, b := arena(t, want), arena(t, got); a != b {
				t.Errorf("%s: the arena is %d B, restored %d B", what, a, b)
			}
			count++
			for _, s := range stages {
				kinds[fmt.Sprint(s.Mode, " ", min(s.Rows, 2), min(s.Columns, 2), min(s.Tiles, 2), min(s.Channels, 2))]++
			}
		}
	}
	small(t, most, check)
	if !testing.Short() {
		for _, name := range []string{"mobilenet-v1", "mobilenet-v2", "blazeface-int8", "resnet50", "vit-b16-int8"} {
			check(builtin.Model(t, name))
		}
	}
	t.Log(count, kinds)
	if count < least || len(kinds) < 5 {
		t.Errorf("only %d models, %v", count, kinds)
	}
}

// arena returns the required arena of a model without a plan in bytes.
func arena(t *testing.T, m *tflite.Model) int64 {
	t.Helper()
	d := rules.DefaultDevice()
	o, err := pin.Follow(t.Context(), d.Rules(), m, nil, d.Requests(m))
	if err != nil {
		t.Fatal(err)
	}
	return o.Arena(d).Required
}
