package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/check"
	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/pin"
	"github.com/tflarena/tflarena/tflite"
)

// exports is one plan in every format, each as its file has it.
type exports struct {
	json            results.Plan
	csv             [][]string
	pictured        map[string]int64
	header, buffers cFile
}

// exportFormats are those that hold a whole plan.
var exportFormats = []string{"json", "csv", "svg", "header", "bufferplan"}

// exportModel runs "plan" once for all formats, and reads what it wrote back.
func exportModel(t *testing.T, model string, flags ...string) exports {
	t.Helper()
	dir, files := t.TempDir(), map[string][]byte{}
	args := append([]string{"plan", model, "-q"}, flags...)
	for _, format := range exportFormats {
		args = append(args, "-o", format+"="+filepath.Join(dir, format))
	}
	if got := execute(noTerminal(), nil, args...); got.code != exitOK {
		t.Fatalf("%v: exit %d: %s", args, got.code, got.stderr)
	}
	for _, format := range exportFormats {
		data, err := os.ReadFile(filepath.Join(dir, format))
		if err != nil {
			t.Fatal(err)
		}
		files[format] = data
	}
	return readExports(t, files)
}

// exportData runs "plan" once a format, and touches no disk.
func exportData(t *testing.T, model []byte, flags ...string) exports {
	t.Helper()
	files := map[string][]byte{}
	for _, format := range exportFormats {
		got := execute(noTerminal(), model, append([]string{"plan", "-", "-q", "--scratch", "reference", "-o", format + "=-"}, flags...)...)
		if got.code != exitOK {
			t.Fatalf("%s %v: exit %d: %s", format, flags, got.code, got.stderr)
		}
		files[format] = []byte(got.stdout)
	}
	return readExports(t, files)
}

func readExports(t *testing.T, files map[string][]byte) (e exports) {
	t.Helper()
	if err := readOnly(files["json"], &e.json); err != nil {
		t.Fatal(err)
	}
	e.csv, e.pictured = readCSV(t, files["csv"]), readPicture(t, files["svg"])
	e.header, e.buffers = readC(t, files["header"]), readC(t, files["bufferplan"])
	return e
}

// Files of the corpus, with all takeovers that there are, in every format (every file
// with each of them by -audit): the formats agree, and each holds a plan that is right, scratch included, for what may
// share memory and nothing else.
func TestExports(t *testing.T) {
	files := corpus.Accepted(t)
	// Powers of two and not, smaller and larger than the runtime's own.
	aligns := []string{"16", "64", "4", "1", "24", "4096"}
	every := 3 // so that each file is exported with one or two of the aliases
	if testing.Short() {
		every = 8
	}
	for k, alias := range rules.Aliases() {
		t.Run(string(alias), func(t *testing.T) {
			dir, unit := t.TempDir(), &cUnit{}
			for n, f := range files {
				if !*golden.Audit && (n+k)%every != 0 {
					continue
				}
				path := filepath.Join(dir, fmt.Sprintf("model%d.tflite", n)) // one name for each in C
				if err := os.Symlink(f.Path, path); err != nil {
					t.Fatal(err)
				}
				m, err := tflite.Open(f.Path)
				if err != nil {
					t.Fatal(err)
				}
				flags := []string{"--alias", string(alias), "-s", "greedy-by-size"}
				e := exportModel(t, path, flags...)
				judgeExport(t, f.Name, m, alias, 16, e)
				unit.add(fmt.Sprintf("model%d", n), e)
				align := aligns[(n+k)%len(aligns)]
				e = exportModel(t, path, append(flags, "--align", align)...)
				judgeExport(t, f.Name, m, alias, number(t, align), e)
			}
			unit.run(t)
		})
	}
}

// Models whose exports were wrong once, and other ways to make a plan.
func TestExportsOf(t *testing.T) {
	for _, c := range []struct {
		model string
		align string
		flags []string
	}{
		{"builtin:blazeface", "16", nil},
		{"builtin:randwire", "64", nil},
		{"micro/pretrainedResnet_quant.tflite", "16", nil},
		{"micro/trained_lstm.tflite", "16", nil},
		{"micro/okay_nabu_v2.tflite", "64", nil},
		{"micro/okay_nabu_v2.tflite", "48", []string{"-s", "exact"}},
		{"micro/okay_nabu_v2.tflite", "16", []string{"--capacity", "1MiB"}},
	} {
		path := c.model
		if !isBuiltin(path) {
			path = filepath.Join(corpus.Dir(t), "models", path)
		}
		data, title, err := (&program{ctx: t.Context()}).load(path)
		if err != nil {
			t.Fatal(err)
		}
		m, err := tflite.Parse(data, title)
		if err != nil {
			t.Fatal(err)
		}
		for _, alias := range rules.Aliases() {
			flags := append([]string{"--alias", string(alias), "--align", c.align, "-s", "greedy-by-size"}, c.flags...)
			judgeExport(t, c.model, m, alias, number(t, c.align), exportModel(t, path, flags...))
		}
	}
}

// Small models: without tensors, without operators, with tensors of unknown size, with subgraphs that
// are never called, with names that end comments.
func TestExportsOfSmallModels(t *testing.T) {
	for name, data := range small() {
		if !*golden.Audit && (strings.HasSuffix(name, "marked") || name == "unnamed" || name == "newer" || name == "stray") {
			continue // these differ from others in their markers alone
		}
		judgeData(t, name, data)
		e := exportData(t, data, "-a", "shared", "--align", "96") // whose objects are laid end to end
		e.check(t, name)
		e.aligned(t, name, 96)
	}
}

// Random models full of takeovers.
func TestExportsOfTakers(t *testing.T) {
	models := 10
	if *golden.Audit {
		models = 15
	}
	var behind, inFront, gaps, scratch int
	for seed := range uint64(models) {
		for _, e := range judgeData(t, fmt.Sprintf("taker %d", seed), encode.Encode(taker(seed)), "-s", "greedy-by-size") {
			for _, k := range e.json.Takeovers {
				behind, inFront = behind+min(max(int(k.DistanceBytes), 0), 1), inFront+min(max(-int(k.DistanceBytes), 0), 1)
			}
			for _, p := range e.json.Placements {
				gaps += len(p.Gaps)
				scratch += strings.Count(p.ID, "scratch:")
			}
		}
	}
	if least := models; behind < least || inFront < least || gaps < least || scratch < least {
		t.Errorf("%d and %d takeovers behind and in front of the beginning, %d gaps, %d scratch buffers", behind, inFront, gaps, scratch)
	}
}

// judgeData judges the exports of a model under every --alias, with more than one
// alignment, and returns them.
func judgeData(t *testing.T, name string, data []byte, flags ...string) (all []exports) {
	t.Helper()
	m, err := tflite.Parse(data, name)
	if err != nil {
		t.Fatal(err)
	}
	for _, alias := range rules.Aliases() {
		for _, align := range []int64{16, 8, 96} {
			e := exportData(t, data, append([]string{"--alias", string(alias), "--align", fmt.Sprint(align)}, flags...)...)
			judgeExport(t, name, m, alias, align, e)
			all = append(all, e)
		}
	}
	return all
}

// judgeExport holds an export against the model.
func judgeExport(t *testing.T, name string, m *tflite.Model, alias rules.Alias, align int64, e exports) {
	t.Helper()
	name = fmt.Sprintf("%s --alias %s --align %d", name, alias, align)
	v := viewed(t, m, align)
	requests := rules.DefaultDevice().Requests(v.Model)
	e.truth(t, name, v, requests, alias)
	e.aligned(t, name, align)
	if alias == rules.NoAlias && len(e.json.Takeovers) > 0 {
		t.Errorf("%s: %v", name, e.json.Takeovers)
	}
	e.check(t, name)
	e.buffered(t, name, len(requests))
	e.embedded(t, name, v, requests)
}

// aligned reports what does not lie at a multiple of so many bytes.
func (e *exports) aligned(t *testing.T, name string, align int64) {
	t.Helper()
	for _, p := range e.json.Placements {
		if *p.OffsetBytes%align != 0 {
			t.Errorf("%s: %s lies at %d", name, p.ID, *p.OffsetBytes)
		}
	}
	if got := e.header.defines["ARENA_ALIGNMENT"]; got < 16 || got&(got-1) != 0 || align&(align-1) == 0 && got%align != 0 {
		t.Errorf("%s: an arena aligned to %d bytes in C", name, got)
	}
}

// check holds the formats against each other, and judges the plan by its own JSON.
func (e *exports) check(t *testing.T, name string) {
	t.Helper()
	for i, p := range e.json.Placements {
		if p.OffsetBytes == nil {
			p.OffsetBytes = new(int64)
			e.json.Placements[i].OffsetBytes = p.OffsetBytes
			*p.OffsetBytes = e.pictured[p.ID]
		}
	}
	e.same(t, name)
	e.right(t, name, e.placed(nil), e.total())
}

// total is what the offsets take: alignment puts shared objects apart.
func (e *exports) total() int64 {
	if e.json.Approach == "shared" {
		return max(e.json.TotalBytes, e.buffers.defines["HEAD_BYTES"])
	}
	return e.json.TotalBytes
}

// same reports where the formats differ.
func (e *exports) same(t *testing.T, name string) {
	t.Helper()
	if len(e.csv) != len(e.json.Placements) || len(e.pictured) != len(e.json.Placements) {
		t.Errorf("%s: %d placements, %d rows, %d rectangles", name, len(e.json.Placements), len(e.csv), len(e.pictured))
		return
	}
	tensors := 0
	for i, p := range e.json.Placements {
		at := *p.OffsetBytes
		if e.json.Approach == "offsets" && (e.csv[i][0] != p.ID || e.csv[i][5] != fmt.Sprint(at)) {
			t.Errorf("%s: JSON has %s at %d, CSV %v", name, p.ID, at, e.csv[i])
		}
		if e.pictured[p.ID] != at {
			t.Errorf("%s: JSON has %s at %d, the picture at %d", name, p.ID, at, e.pictured[p.ID])
		}
		if tensor, ok := offsetName(p.ID); ok {
			tensors++
			if got, ok := e.header.defines[tensor]; !ok || got != at {
				t.Errorf("%s: JSON has %s at %d, C %s at %d", name, p.ID, at, tensor, got)
			}
		}
	}
	if got := e.header.count("OFFSET_"); got != tensors {
		t.Errorf("%s: %d offsets in C for %d tensors", name, got, tensors)
	}
	if e.header.defines["PLAN_HEAD_BYTES"] != e.total() || e.buffers.defines["HEAD_BYTES"] != e.total() {
		t.Errorf("%s: %d bytes, in C %v and %v", name, e.total(), e.header.defines, e.buffers.defines)
	}
}

// placed returns what the JSON places; at has other offsets for it, unless it is nil.
func (e *exports) placed(at []int64) []lifetime.Placed {
	list := make([]lifetime.Placed, len(e.json.Placements))
	for i, p := range e.json.Placements {
		list[i].Record = lifetime.Record{ID: p.ID, First: p.FirstOp, Last: p.LastOp, Size: p.SizeBytes}
		for _, g := range p.Gaps {
			list[i].Gaps = append(list[i].Gaps, lifetime.Gap{First: g.FirstOp, Last: g.LastOp, Lo: g.HeldOffsetBytes, Hi: g.HeldOffsetBytes + g.HeldBytes})
		}
		if list[i].At = *p.OffsetBytes; at != nil {
			list[i].At = at[i]
		}
	}
	return list
}

// right judges a plan twice: byte by byte, and with the checker of the project. Both go
// by the takeovers of the JSON.
func (e *exports) right(t *testing.T, name string, list []lifetime.Placed, total int64) {
	t.Helper()
	index := map[string]int{}
	var records []lifetime.Record
	var offsets []int64
	for i, p := range list {
		index[p.ID] = i
		records, offsets = append(records, p.Record), append(offsets, p.At)
	}
	var takeovers []lifetime.Takeover
	for _, k := range e.json.Takeovers {
		takeovers = append(takeovers, lifetime.Takeover{From: index[k.From], To: index[k.To], Offset: k.DistanceBytes})
	}
	var overlaps []lifetime.Overlap
	for _, o := range e.json.Overlaps {
		overlaps = append(overlaps, lifetime.Overlap{From: index[o.From], To: index[o.To], At: records[index[o.To]].First, Distance: o.LeastDistanceBytes})
	}
	if err := clash(list, takeovers, overlaps); err != "" {
		t.Errorf("%s: %s", name, err)
	}
	if err := check.Aliased(records, offsets, total, takeovers, overlaps); err != nil {
		t.Errorf("%s: %v", name, err)
	}
}

// truth compares tensors and takeovers in the JSON with the model.
func (e *exports) truth(t *testing.T, name string, v *rules.View, requests []rules.Request, alias rules.Alias) {
	t.Helper()
	want := v.WithScratch(requests)
	if slices.ContainsFunc(e.json.Placements, func(p results.Placement) bool { return len(p.Gaps) > 0 }) {
		copy(want, v.Remaining(alias)) // else what a lesser --alias permits is enough
	}
	got := e.placed(nil)
	if len(got) != len(want) {
		t.Fatalf("%s: %d placements for %d tensors and scratch buffers", name, len(got), len(want))
	}
	for i, r := range want {
		r.Name, r.Align = "", 0
		if g := got[i].Record; g.ID != r.ID || g.First != r.First || g.Last != r.Last || g.Size != r.Size || !slices.Equal(g.Gaps, r.Gaps) {
			t.Errorf("%s: %+v, want %+v", name, g, r)
		}
	}
	permitted := map[results.Takeover]bool{}
	for _, k := range results.NewTakeovers(want, v.Takeovers(alias)) {
		k.Why = ""
		permitted[k] = true
	}
	for _, k := range e.json.Takeovers {
		k.Why = ""
		if !permitted[k] {
			t.Errorf("%s: %+v is no takeover", name, k)
		}
	}
	lying := map[results.Overlap]bool{}
	for _, o := range results.NewOverlaps(want, v.Overlaps(alias)) {
		lying[o] = true
	}
	for _, o := range e.json.Overlaps {
		if !lying[o] {
			t.Errorf("%s: %+v is no overlap", name, o)
		}
	}
}

// buffered checks the plan of the shim: the buffers of the tensors in file order, then those of the
// scratch requests; requests of zero bytes, and of operators that never run, are never in the way.
func (e *exports) buffered(t *testing.T, name string, requests int) {
	t.Helper()
	var at []int64
	tensors := 0
	for _, p := range e.json.Placements {
		if _, ok := offsetName(p.ID); ok {
			tensors++
		}
	}
	list := e.buffers.array
	if len(list) != tensors+requests || e.buffers.defines["BUFFERS"] != int64(len(list)) {
		t.Fatalf("%s: %d buffers for %d tensors and %d requests", name, len(list), tensors, requests)
	}
	for i, p := range e.json.Placements {
		k := i
		if i >= tensors {
			if _, err := fmt.Sscanf(p.ID, "scratch:%d", &k); err != nil {
				t.Fatal(err)
			}
			k += tensors
		}
		at = append(at, list[k])
	}
	e.right(t, name+": buffers", e.placed(at), e.json.TotalBytes)
}

// embedded judges what the runtime makes of the data of the metadata entry: it leaves
// nothing to the runtime that the plan could fix, and what is left has a place of its own.
func (e *exports) embedded(t *testing.T, name string, v *rules.View, requests []rules.Request) {
	t.Helper()
	data := e.header.array
	if len(data) < 3 || data[0] != 1 || data[1] != int64(len(v.Model.Subgraphs)) || data[2] != int64(len(data)-3) {
		t.Fatalf("%s: metadata %v", name, data)
	}
	var offsets []int32
	for _, n := range data[3:] {
		offsets = append(offsets, int32(n))
	}
	of := map[string]int64{}
	for _, p := range e.json.Placements {
		of[p.ID] = *p.OffsetBytes
	}
	n := 0
	for s := range v.Model.Subgraphs {
		for i := range v.Model.Subgraphs[s].Tensors {
			at, ok := of[v.Model.TensorID(s, i)]
			if offset := int64(offsets[n]); offset != -1 && (!ok || offset != at) {
				t.Errorf("%s: tensor %d:%d at %d in the metadata, %d in JSON", name, s, i, offset, at)
			}
			n++
		}
	}
	outcome, err := pin.Follow(t.Context(), rules.Micro(), v.Model, offsets, requests)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if outcome.Head != e.header.defines["ARENA_HEAD_BYTES"] {
		t.Errorf("%s: the runtime takes %d bytes, C says %d", name, outcome.Head, e.header.defines["ARENA_HEAD_BYTES"])
	}
	e.right(t, name+": metadata", e.placed(outcome.Offsets), outcome.Head)
}

// viewed returns a model as TensorFlow Lite Micro would see it if it aligned tensors so.
func viewed(t *testing.T, m *tflite.Model, align int64) *rules.View {
	t.Helper()
	r := rules.Micro()
	r.Align = align
	v, err := r.View(m, -1)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
