package parts

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/tflarena/tflarena/alloc/inplace"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/rewrite/pin"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// measured returns what the file of a path costs.
func measured(t *testing.T, row *Row, p *Path) Cost {
	t.Helper()
	e, err := row.Edit(p.Stages)
	if err != nil {
		t.Fatalf("%s %v: %v", row.model.Name, p.Stages, err)
	}
	r, err := edit.Apply(row.model, e, rewrite.Options{})
	if err != nil {
		t.Fatalf("%s %v: %v", row.model.Name, p.Stages, err)
	}
	m := parse(t, r.Data, row.model.Name)
	v := sample.Micro(t, m)
	alias := row.alias
	remaining := v.Remaining(alias)
	merged := inplace.Merge(remaining, v.Takeovers(alias), nil)
	before, after := arenaOf(t, row.model), arenaOf(t, m)
	return Cost{
		Peak: lifetime.LeastBreadth(merged.Records, merged.Overlaps(remaining, v.Overlaps(alias))), Sure: lifetime.MaxBreadth(v.Records()), MACs: op.RunMACs(m, 0) - op.RunMACs(row.model, 0),
		Tail: after.Tail - before.Tail, File: int64(len(m.Data) - len(row.model.Data)), Setup: after.Setup - before.Setup,
	}
}

func arenaOf(t *testing.T, m *tflite.Model) rules.Arena {
	t.Helper()
	o, err := pin.Follow(t.Context(), rules.Micro(), m, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	return o.Arena(rules.DefaultDevice())
}

// aliasOf returns each of the ways of sharing memory in turn.
func aliasOf(seed uint64) rules.Alias {
	list := rules.Aliases()
	return list[seed%uint64(len(list))]
}

// A record counts how many files were compared with what was promised of them, and in how many
// tensors share memory in other ways than the parts have them by themselves.
type record struct{ files, others int }

// check compares the file of a path with what its parts promise: what is alive without takeovers
// and the work are what was said, the tail is but for how it is rounded, and what the runtime
// needs while it plans is no more, but for how that is rounded.
func (r *record) check(t *testing.T, row *Row, p *Path) {
	t.Helper()
	if again, err := row.Path(p.Stages); err != nil || again.Cost != p.Cost {
		t.Errorf("%s, %+v: %+v, then %+v, %v", row.model.Name, p.Stages, p.Cost, again.Cost, err)
	}
	want := p.Cost
	got := measured(t, row, p)
	r.files++
	if got.Peak != want.Peak {
		r.others++
	}
	alias := row.alias
	if got.Sure != want.Sure || got.MACs != want.MACs || alias == rules.NoAlias && got.Peak != want.Peak {
		t.Errorf("%s with %s, %+v: %+v, promised %+v", row.model.Name, alias, p.Stages, got, want)
	}
	if d := got.Tail - want.Tail; d < -Align || d > Align || got.Setup > want.Setup+want.Tail+Align {
		t.Errorf("%s, %+v: %+v, promised %+v", row.model.Name, p.Stages, got, want)
	}
}

// with returns the path with one part, and the operators as they are around it.
func with(row *Row, p Part) *Path {
	return &Path{Stages: []split.Stage{*p.Stage}, Cost: row.Own(0, p.From).Plus(p.Cost).Plus(row.Own(p.To, row.Len()))}
}

// TestCostsAreWhatIsBuilt: a file in which one run is in pieces is what the parts of its path
// promise.
func TestCostsAreWhatIsBuilt(t *testing.T) {
	var r record
	uneven := 0
	for seed := range uint64(30) {
		row := rowOf(t, kinds[seed%2](t, seed/2), aliasOf(seed/2))
		list := row.List(t.Context(), 0, much, math.MaxInt64, nil)
		if seed%3 == 0 {
			list = append(list, row.Refined(t.Context(), Frontier(t.Context(), list, row.Len()), math.MaxInt64)...)
		}
		for _, p := range list {
			if p.Stage == nil {
				continue
			}
			if p.Stage.Tiles > 1 {
				uneven++
			}
			r.check(t, row, with(row, p))
		}
	}
	if r.files < 100 || r.others*10 > r.files || uneven < 8 {
		t.Errorf("of %d files %d share memory in other ways; %d have tiles of different sizes", r.files, r.others, uneven)
	}
}

// TestPathsAreWhatIsBuilt: the same of the paths of a frontier, which may cut several runs, and
// which no other path beats.
func TestPathsAreWhatIsBuilt(t *testing.T) {
	var r record
	several := 0
	for seed := range uint64(30) {
		row := rowOf(t, kinds[seed%2](t, seed/2), aliasOf(seed/2))
		list := row.List(t.Context(), 0, much, math.MaxInt64, nil)
		paths := Frontier(t.Context(), list, row.Len())
		if err := unbeaten(paths); err != nil {
			t.Error(err)
		}
		for i := range paths {
			r.check(t, row, &paths[i])
			if len(paths[i].Stages) > 1 {
				several++
			}
		}
	}
	if r.files < 100 || several < 20 || r.others*10 > r.files {
		t.Errorf("of %d files, %d of several stages, %d share memory in other ways", r.files, several, r.others)
	}
}

// TestKnownNetworksAreWhatIsBuilt: the same of networks that are known, where tensors share
// memory as the parts have them by themselves.
func TestKnownNetworksAreWhatIsBuilt(t *testing.T) {
	if testing.Short() {
		t.Skip("left out: the files are large")
	}
	for _, test := range []struct {
		name  string
		alias rules.Alias
		work  int
	}{
		{"mobilenet-v1", rules.NoAlias, 20_000},
		{"blazeface", rules.NoAlias, 400_000},
		{"blazeface", rules.SafeAlias, 20_000},
		{"blazeface", rules.ElementwiseAlias, 20_000},
		{"mobilenet-v1", rules.OverwriteAlias, 20_000},
	} {
		data, err := models.Build(test.name, models.Options{Weights: models.Zero})
		if err != nil {
			t.Fatal(err)
		}
		row := rowOf(t, parse(t, data, test.name), test.alias)
		list := row.List(t.Context(), 0, test.work, math.MaxInt64, nil)
		paths := Frontier(t.Context(), list, row.Len())
		if len(paths) < 2 {
			t.Errorf("%s with %s: %d paths", test.name, test.alias, len(paths))
		}
		var r record
		for i := 0; i < len(paths); i += 1 + len(paths)/3 {
			r.check(t, row, &paths[i])
		}
		if r.others > 0 {
			t.Errorf("%s with %s: of %d files %d share memory in other ways", test.name, test.alias, r.files, r.others)
		}
	}
}

// TestModelsWithCallsAreWhatIsBuilt: the same of real models whose operators call subgraphs.
func TestModelsWithCallsAreWhatIsBuilt(t *testing.T) {
	var r record
	for _, name := range []string{"micro/okay_nabu_v2.tflite", "corner/lyragan.tflite", "corner/resource_vars_calibrated.bin"} {
		m := sample.OpenFile(t, filepath.Join(corpus.Dir(t), "models", name))
		for _, alias := range []rules.Alias{rules.NoAlias, rules.OverwriteAlias} {
			row := rowOf(t, m, alias)
			spans, effort := row.spans(0, 2000)
			for k, p := range row.stagesOf(t.Context(), append(spans, row.channelSpans(t.Context(), 0)...), effort.within(math.MaxInt64), nil) {
				if k%9 == 0 {
					r.check(t, row, with(row, p))
				}
			}
		}
	}
	if r.files < 10 || r.others*10 > r.files {
		t.Errorf("of %d files, %d share memory in other ways", r.files, r.others)
	}
}

// TestCostsStay: the cost of a part is the same when it is asked for again.
func TestCostsStay(t *testing.T) {
	for seed := range uint64(6) {
		for _, alias := range []rules.Alias{rules.NoAlias, rules.SafeAlias, rules.OverwriteAlias} {
			row := rowOf(t, drawn(t, seed), alias)
			list := row.List(t.Context(), 0, much, math.MaxInt64, nil)
			for _, p := range list {
				if p.Stage == nil {
					continue
				}
				if again, err := row.tiled(*p.Stage); err != nil || again.Cost != p.Cost {
					t.Errorf("seed %d, %d to %d: %+v, then %+v, %v", seed, p.From, p.To, p.Cost, again.Cost, err)
				}
			}
		}
	}
}
