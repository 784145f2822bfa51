package benchmarks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/schedule"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/rewrite/reorder"
	"github.com/tflarena/tflarena/tflite"
)

// An ordered is what another order of its operators does for one model.
type ordered struct {
	model     string
	operators int
	// least has an entry for each of orderedRules.
	least []*schedule.Ordering
	// Under TensorFlow Lite Micro's rules, without scratch, in bytes: the runtime's own
	// head, that of the best plan in the order of the file, and in the best order.
	own, planned, arena int64
}

// orderedRules are the rule sets of runtimes that run operators as they stand in the file.
var orderedRules = []string{"tflm", "litert"}

// TestOrders keeps orders.md what is found: every model of the corpus and of package
// models, under the rules of both runtimes.
func TestOrders(t *testing.T) {
	var list []ordered
	for _, f := range corpus.Accepted(t) {
		m, err := tflite.Open(f.Path)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, orderOf(t, f.Name, m))
	}
	var built []ordered
	for _, n := range models.List(models.Irregular) {
		data, err := models.Build(n.Name, models.Options{Weights: models.Zero})
		if err != nil {
			t.Fatal(err)
		}
		m, err := tflite.Parse(data, n.Name)
		if err != nil {
			t.Fatal(err)
		}
		built = append(built, orderOf(t, "builtin:"+n.Name, m))
	}
	const name = "orders.md"
	got := ordersText(t, list, built)
	golden.File(t, name, got)
}

func orderOf(t *testing.T, name string, m *tflite.Model) ordered {
	t.Helper()
	o := ordered{model: name}
	for i := range m.Subgraphs {
		o.operators += len(m.Subgraphs[i].Operators)
	}
	for _, set := range orderedRules {
		r, err := rules.Lookup(set)
		if err != nil {
			t.Fatal(err)
		}
		v, err := r.View(m, -1)
		if err != nil {
			t.Fatal(err)
		}
		least, err := reorder.Least(t.Context(), v, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		o.least = append(o.least, least)
		if r.Scopes && least.Peak < least.Own {
			o.arenas(t, v)
		}
	}
	return o
}

// arenas plans in the order of the file and in the best.
func (o *ordered) arenas(t *testing.T, v *rules.View) {
	t.Helper()
	o.own = solve(t.Context(), t, v.Records(), alloc.Options{Approach: alloc.Offsets, Strategy: v.Rules.Planner}).Total
	choice, err := reorder.Choose(t.Context(), v, reorder.Options{Alias: rules.NoAlias})
	if err != nil {
		t.Fatal(err)
	}
	o.planned, o.arena = choice.OwnArena, choice.Arena
	w, err := v.Reordered(choice.Orders)
	if err != nil {
		t.Fatal(err)
	}
	if peak := lifetime.MaxBreadth(w.Records()); peak > o.arena || choice.Arena > choice.OwnArena {
		t.Errorf("%s: peak %d, arena %d, in the order of the file %d", o.model, peak, o.arena, choice.OwnArena)
	}
}

const ordersIntroduction = `# The order of operators

Every model of the corpus under the rules of both runtimes, without kernel scratch: the order of operators with the least peak,
and its proof. The peak is the largest operator breadth, and no arena can be smaller. Figures are in bytes. Repeat with
` + "`go test ./benchmarks -run TestOrders -update`" + `; a test compares this document with what is found.

`

func ordersText(t *testing.T, corpus, built []ordered) []byte {
	t.Helper()
	var b bytes.Buffer
	b.WriteString(ordersIntroduction)
	b.WriteString("| rules | models | the file's order proven best | a better one proven best | not proven |\n|---|---:|---:|---:|---:|\n")
	for i, set := range orderedRules {
		same, better, open := 0, 0, 0
		for _, o := range corpus {
			switch l := o.least[i]; {
			case !l.Proven:
				open++
			case l.Peak < l.Own:
				better++
			default:
				same++
			}
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d |\n", set, len(corpus), same, better, open)
	}
	b.WriteString("\n## Where another order is better, or nothing is proven\n\n")
	writePeaks(&b, corpus, false)
	b.WriteString("\n## Networks with irregular wiring\n\nBuilt by package `models`, in the order of their published description.\n" +
		"SERENITY (Ahn et al. 2020) reports 1.68 times less on average by order for its set of such networks, whose cells are\nnot published, so the figures can only stand beside each other.\n\n")
	writePeaks(&b, built, true)
	b.WriteString("\n## Arenas in TensorFlow Lite Micro\n\nThe columns are the runtime's own head, the head with the best plan in the order of the file, and the head with the best plan and order, in bytes.\n\n" +
		"| model | own head | plan | order and plan | less than own |\n|---|---:|---:|---:|---:|\n")
	for _, o := range append(append([]ordered{}, corpus...), built...) {
		if o.arena > 0 && o.arena < o.planned {
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %.1f %% |\n", o.model, grouped(o.own), grouped(o.planned), grouped(o.arena), 100*float64(o.own-o.arena)/float64(o.own))
		}
	}
	writeRuns(&b, t)
	return b.Bytes()
}

// writeRuns writes what the real runtimes reported.
func writeRuns(b *bytes.Buffer, t *testing.T) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "cmd", "tflarena", "testdata", "reordered.json"))
	if err != nil {
		t.Fatal(err)
	}
	var list []struct {
		Model  string           `json:"model"`
		Own    int64            `json:"own_head_bytes"`
		Heads  map[string]int64 `json:"heads"`
		LiteRT string           `json:"litert_reason"`
	}
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	b.WriteString(runsIntroduction)
	for _, r := range list {
		if r.Own == 0 {
			continue // TensorFlow Lite Micro does not run it
		}
		fmt.Fprintf(b, "| %s | %s |", r.Model, grouped(r.Own))
		for _, way := range []string{"order", "order+plan", "any order+plan", "any order+plan+alias"} {
			if head, ok := r.Heads[way]; ok {
				fmt.Fprintf(b, " %s |", grouped(head))
			} else {
				b.WriteString(" - |")
			}
		}
		b.WriteString("\n")
	}
}

const runsIntroduction = `
## In the real runtimes

Heads that TensorFlow Lite Micro reports (reference kernels, 64-bit, scratch included), as printed: of the model as it is,
with ` + "`--reorder --remove`" + ` (the order alone), ` + "`--reorder`" + `, ` + "`--reorder --ignore-litert`" + `, and that with ` + "`--alias elementwise`" + `; -
where no operator moves. Outputs in TensorFlow Lite Micro and in LiteRT are bit-identical to those of the unmodified model
in every row, and in those models that only LiteRT runs. Networks of package models have random weights.
Repeat with ` + "`.ci/oracles && go test ./cmd/tflarena -run TestReordered -update`" + `.

| model | own head | order | order, plan | any order, plan | any order, plan, aliases |
|---|---:|---:|---:|---:|---:|
`

// writePeaks writes a row for each model and rule set where the order of the file is not
// proven to be the best one, or for all.
func writePeaks(b *bytes.Buffer, list []ordered, all bool) {
	b.WriteString("| model | operators | rules | peak | least peak | times less | proven | states |\n|---|---:|---|---:|---:|---:|---|---:|\n")
	for _, o := range list {
		for i, l := range o.least {
			if !all && l.Proven && l.Peak == l.Own {
				continue
			}
			proof := "yes"
			if !l.Proven {
				proof = "none is below " + grouped(l.Bound)
			}
			fmt.Fprintf(b, "| %s | %s | %s | %s | %s | %s | %s | %s |\n", o.model, grouped(int64(o.operators)), orderedRules[i],
				grouped(l.Own), grouped(l.Peak), strings.TrimSuffix(fmt.Sprintf("%.2f", float64(l.Own)/float64(max(l.Peak, 1))), ".00"), proof, grouped(l.States))
		}
	}
}
