package shrink

import (
	"fmt"
	"math"
	"os"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/internal/workers"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// ablationFile is the document that TestAblation writes.
const ablationFile = "../../benchmarks/ablation.md"

// A constant is a number of a tuning, scaled by a factor.
type constant struct {
	field string
	scale func(t *tuning, by float64)
}

// eachRound scales a number of the work of each round.
func eachRound(scale func(w *work, by float64)) func(t *tuning, by float64) {
	return func(t *tuning, by float64) {
		for i := range t.rounds {
			scale(&t.rounds[i], by)
		}
	}
}

func scaled(n *int, by float64) { *n = max(1, int(float64(*n)*by)) }

var constants = []constant{
	{"rounds.listed", eachRound(func(w *work, by float64) { scaled(&w.listed, by) })},
	{"rounds.finer", eachRound(func(w *work, by float64) { w.finer = by > 1 })}, // never, or in each round
	{"rounds.plans", eachRound(func(w *work, by float64) { scaled(&w.plans, by) })},
	{"rounds.effort", eachRound(func(w *work, by float64) { w.effort = min(1, w.effort*by) })},
	{"rounds.states", eachRound(func(w *work, by float64) { scaled(&w.states, by) })},
	{"rounds.expanded", eachRound(func(w *work, by float64) { scaled(&w.expanded, by) })},
	{"outlook", func(t *tuning, by float64) { scaled(&t.outlook, by) }},
	{"planned", func(t *tuning, by float64) { scaled(&t.planned, by) }},
	{"built", func(t *tuning, by float64) { scaled(&t.built, by) }},
	{"polished", func(t *tuning, by float64) { scaled(&t.polished, by) }},
	{"sorted", func(t *tuning, by float64) { scaled(&t.sorted, by) }},
	{"refined", func(t *tuning, by float64) { scaled(&t.refined, by) }},
	{"longest", func(t *tuning, by float64) { scaled(&t.longest, by) }},
	{"slack", func(t *tuning, by float64) { t.slack = 1 - (1-t.slack)*by }},
	{"worth", func(t *tuning, by float64) { t.worth *= by }},
}

// A variation is a search without a proposer, or with another constant.
type variation struct {
	name, without string
	tuning        *tuning
}

// variations are the standard search and all changes to it.
func variations() []variation {
	list := []variation{{name: "the search as it is"}}
	for _, p := range proposers() {
		list = append(list, variation{name: "without " + p.name, without: p.name})
	}
	for _, c := range constants {
		for _, by := range []float64{0.5, 2} {
			v := variation{name: fmt.Sprintf("%s × %g", c.field, by), tuning: standard()}
			c.scale(v.tuning, by)
			list = append(list, v)
		}
	}
	return list
}

// ablated are the networks of the ablation, with the level of in-place outputs of each.
func ablated(t *testing.T) (list []*tflite.Model, levels []rules.Alias) {
	for _, name := range []string{
		"dtln_model_1.tflite", "person_detect.tflite", "kws_ref_model.tflite", "pretrainedResnet_quant.tflite",
	} {
		m, err := tflite.Open(corpus.Model(t, name).Path)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, m)
	}
	for seed := range uint64(16) {
		list = append(list, wide(t, seed))
	}
	for i := range list {
		levels = append(levels, []rules.Alias{rules.NoAlias, rules.OverwriteAlias}[i%2])
	}
	return list, levels
}

// TestAblation measures what each proposer and each constant is worth: the arenas of networks after two
// rounds, without it, and with half and twice of it.
func TestAblation(t *testing.T) {
	if !*golden.Audit {
		t.Skip("left out: hundreds of searches; -audit has them")
	}
	models, levels := ablated(t)
	measure := func(v variation) []float64 {
		arenas := make([]float64, len(models))
		var wait workers.Group
		slots := make(chan bool, runtime.GOMAXPROCS(0))
		for i, m := range models {
			wait.Go(func() {
				slots <- true
				defer func() { <-slots }()
				r, err := Fit(t.Context(), m, Goal{MaxOverhead: -1, Alias: levels[i], Device: rules.DefaultDevice(), Rounds: 3, Substitute: true, tuning: v.tuning, without: v.without})
				if err != nil {
					t.Error(err)
					return
				}
				arenas[i] = float64(r.Steps[r.Best].Required)
			})
		}
		wait.Wait()
		return arenas
	}
	var b strings.Builder
	b.WriteString(ablationText)
	all := variations()
	own := measure(all[0])
	for _, v := range all[1:] {
		arenas := measure(v)
		sum, worst, worse, better := 0., 0., 0, 0
		for i, x := range arenas {
			loss := x / own[i]
			sum += math.Log(loss)
			worst = max(worst, loss-1)
			if loss > 1 {
				worse++
			} else if loss < 1 {
				better++
			}
		}
		fmt.Fprintf(&b, "| %s | %.2f %% | %.1f %% | %d | %d |\n", v.name, 100*(math.Exp(sum/float64(len(arenas)))-1), 100*worst, worse, better)
	}
	golden.File(t, ablationFile, []byte(b.String()))
}

const ablationText = `# What each part of the search is worth

The least required arena of 20 networks (four public ones, 16 random networks of convolutions; half of them without in-place outputs,
half with "overwrite") after three rounds of the search of ` + "`fit`" + `: without each proposer of rewrite/shrink/proposers.go, and with each
constant of rewrite/shrink/tuning.go halved and doubled. For rounds.finer that means never and in every round; for slack, half and
twice the distance from 1; "outlook" is for ` + "`analyze`" + ` and the first look of a frontier, not for these searches. Work is counted, so the figures do not depend on the machine. "Loss" is the geometric mean of the arenas,
"most" the largest loss of a network. Repeat with ` + "`go test ./rewrite/shrink -run TestAblation -audit -update`" + `.

| change | loss | most | worse | better |
|---|---:|---:|---:|---:|
`

// TestAblationIsComplete: each proposer and each constant has its rows, and no other row is left.
func TestAblationIsComplete(t *testing.T) {
	names := map[string]bool{}
	for _, c := range constants {
		names[c.field] = true
	}
	for _, typ := range []reflect.Type{reflect.TypeFor[tuning](), reflect.TypeFor[work]()} {
		for i := range typ.NumField() {
			name := typ.Field(i).Name
			if typ == reflect.TypeFor[work]() {
				name = "rounds." + name
			}
			if !names[name] && name != "rounds" {
				t.Errorf("%s is not among the constants", name)
			}
		}
	}
	document, err := os.ReadFile(ablationFile)
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, line := range strings.Split(string(document), "\n") {
		if cells := strings.Split(line, " | "); len(cells) == 5 && !strings.HasPrefix(line, "| change") {
			rows = append(rows, strings.TrimPrefix(cells[0], "| "))
		}
	}
	var want []string
	for _, v := range variations()[1:] {
		want = append(want, v.name)
	}
	if !slices.Equal(rows, want) {
		t.Errorf("rows %q, want %q", rows, want)
	}
}
