package split_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/blocks"
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/tflite"
)

// TestBlock cuts models of the corpus in every way. The record tells of each tile what its name tells,
// and it changes nothing else in the file. Package restore restores models from such files.
func TestBlock(t *testing.T) {
	const large = 2 << 20
	r := rand.New(rand.NewPCG(3, 0))
	checked, times, least := map[string]int{}, 4, 40
	if testing.Short() {
		times, least = 1, 10
	}
	for _, file := range corpus.Models(t) {
		m, err := tflite.Open(file.Path)
		if err != nil || len(m.Data) > large || testing.Short() && len(m.Data) > large/8 {
			continue
		}
		for range times {
			for name, s := range stages(m, r) {
				f, err := split.Cut(m, s, len(m.Subgraphs[0].Tensors))
				if err != nil || f.Block() == nil {
					continue
				}
				if checkBlock(t, fmt.Sprintf("%s %+v", file.Name, s), m, s, f) {
					checked[name]++
				}
			}
		}
	}
	t.Log(checked)
	for _, name := range []string{"rows", "kept", "tiles", "channels"} {
		if checked[name] < least {
			t.Errorf("only %d fragments of %s", checked[name], name)
		}
	}
}

// stages draws a stage of each kind.
func stages(m *tflite.Model, r *rand.Rand) map[string]split.Stage {
	list := map[string]split.Stage{}
	if all := runs(m); len(all) > 0 {
		run := all[r.IntN(len(all))]
		s := split.Stage{First: run.First, Last: run.Last, Rows: min(run.Height, 2+r.IntN(3)), Columns: 1, Carry: r.IntN(2) == 1, Widen: r.IntN(2) == 1}
		list["rows"] = s
		s.Mode = split.Keep
		list["kept"] = s
		s.Mode, s.Columns = split.Recompute, min(run.Width, 1+r.IntN(12))
		list["tiles"] = s
	}
	if all := channelRuns(m); len(all) > 0 {
		run := all[r.IntN(len(all))]
		list["channels"] = split.Stage{First: run.First, Last: run.Last, Rows: 1, Columns: 1, Channels: min(run.Most, 2+r.IntN(3))}
	}
	return list
}

// checkBlock compares the record of a fragment with the file that is made of it, and reports whether
// there is such a file.
func checkBlock(t *testing.T, what string, m *tflite.Model, s split.Stage, f *split.Fragment) bool {
	t.Helper()
	checkLabels(t, what, m, f)
	record := &blocks.Record{Blocks: []blocks.Block{*f.Block()}}
	data, err := record.Encode()
	if err != nil {
		t.Fatal(err)
	}
	e := edit.Edit{Tensors: f.Tensors, Operators: whole(m, s, f)}
	plain, err := edit.Apply(m, e, rewrite.Options{})
	if refused := (*rewrite.RefusedError)(nil); errors.As(err, &refused) {
		return false
	}
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	e.Metadata = &edit.Metadata{Name: blocks.Name, Data: data}
	recorded, err := edit.Apply(m, e, rewrite.Options{})
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	out := modelfile.Parse(t, recorded.Data)
	got, err := blocks.Read(out)
	if diff := cmp.Diff(record, got); diff != "" || err != nil {
		t.Fatalf("%s: %v (-want +got):\n%s", what, err, diff)
	}
	checkOnlyRecord(t, what, modelfile.Parse(t, plain.Data), out, recorded.Added-plain.Added)
	return true
}

// rowsAndColumns returns the dimensions of the rows and of the columns of a tensor, -1 for none.
func rowsAndColumns(shape []int32) (y, x int) {
	n := len(shape)
	if n == 4 && shape[0] == 1 {
		return 1, 2
	}
	y = slices.IndexFunc(shape, func(d int32) bool { return d > 1 })
	if y < 0 || y >= n-1 {
		y = max(n-2, 0)
	}
	if y < n-2 {
		return y, n - 2
	}
	return y, -1
}

var label = regexp.MustCompile(`/(rows|columns|channels) ([0-9]+)-[0-9]+(?: columns ([0-9]+)-[0-9]+)?( .*)?$`)

// checkLabels compares the tiles of a record with the names that the added tensors have.
func checkLabels(t *testing.T, what string, m *tflite.Model, f *split.Fragment) {
	t.Helper()
	b := f.Block()
	for i, added := range f.Tensors {
		tile := b.Tiles[i]
		match := label.FindStringSubmatch(added.Name)
		if tile.Original < 0 {
			if match != nil && added.Data == nil && !padded(f, b.First+i) {
				t.Fatalf("%s: %q is a helper", what, added.Name)
			}
			continue
		}
		whole := b.Originals[tile.Original]
		name := m.Subgraphs[0].Tensors[whole.Tensor].Name
		if match == nil || !strings.HasPrefix(added.Name, name[:min(len(name), 200)]+"/") {
			t.Fatalf("%s: %q is a tile of tensor %d", what, added.Name, whole.Tensor)
			continue
		}
		at := make([]int64, len(whole.Shape))
		first, _ := strconv.ParseInt(match[2], 10, 64)
		switch match[1] {
		case "rows":
			y, x := rowsAndColumns(whole.Shape)
			at[y] = first
			if match[3] != "" {
				at[x], _ = strconv.ParseInt(match[3], 10, 64)
			}
		case "columns":
			_, x := rowsAndColumns(whole.Shape)
			at[x] = first
		case "channels": // of which the name does not tell the dimension
			for d := range at {
				if added.Shape[d] != whole.Shape[d] {
					at[d] = first
				}
			}
		}
		start := int64(0)
		for d, n := range whole.Shape {
			start = start*int64(n) + at[d]
		}
		if start != tile.Start {
			t.Fatalf("%s: %q begins at element %d of %v, not %d", what, added.Name, tile.Start, whole.Shape, start)
		}
	}
}

// padded reports whether PAD makes a tensor of a fragment.
func padded(f *split.Fragment, tensor int) bool {
	return slices.ContainsFunc(f.Operators, func(o edit.Operator) bool { return o.Kind == edit.Pad && slices.Contains(o.Outputs, tensor) })
}

// checkOnlyRecord fails if a file differs from one without a record in anything but that, and in that
// the bytes of the original model have moved by shift more.
func checkOnlyRecord(t *testing.T, what string, without, with *tflite.Model, shift int64) {
	t.Helper()
	last := len(with.Metadata) - 1
	if with.Metadata[last].Name != blocks.Name || with.Metadata[last].Buffer != len(with.Buffers)-1 || len(with.Buffers) != max(len(without.Buffers), 1)+1 {
		t.Fatalf("%s: metadata %v of %d buffers, before %d", what, with.Metadata, len(with.Buffers), len(without.Buffers))
	}
	n := len(without.Buffers)
	var rest []string
	for _, line := range sample.ContentOf(with, 0, n, nil) {
		if !strings.HasPrefix(line, fmt.Sprintf("model.Metadata[%d].", last)) {
			rest = append(rest, line)
		}
	}
	old := sample.ContentOf(without, shift, n, nil)
	count := slices.Index(old, fmt.Sprintf("model.Metadata = %d", last))
	if count < 0 {
		t.Fatalf("%s: no metadata in %d lines", what, len(old))
	}
	old[count] = fmt.Sprintf("model.Metadata = %d", last+1)
	if diff := cmp.Diff(old, rest); diff != "" {
		t.Fatalf("%s: content (-without record +with):\n%s", what, diff)
	}
}
