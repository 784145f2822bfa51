package results

import (
	"strings"
	"testing"

	"github.com/tflarena/tflarena/lifetime"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/tflite"
)

// Equal graphs are added once, every plan has an offset for each tensor of its graph, and tensors have
// roles.
func TestReport(t *testing.T) {
	data, err := models.Build("blazeface", models.Options{Weights: models.Zero})
	if err != nil {
		t.Fatal(err)
	}
	m, err := tflite.Parse(data, "m")
	if err != nil {
		t.Fatal(err)
	}
	v, err := rules.Micro().View(m, -1)
	if err != nil {
		t.Fatal(err)
	}
	records := v.WithScratch([]rules.Request{{Bytes: 64}})
	r := NewReport(v, rules.DefaultDevice().WithoutScratch())
	if first, second := r.AddGraph(GraphFile, v, records), r.AddGraph(GraphReordered, v, records); first != GraphFile || second != GraphFile || len(r.Graphs) != 1 {
		t.Errorf("graphs %s and %s, %d in all", first, second, len(r.Graphs))
	}
	if third := r.AddGraph(GraphReordered, v, v.Records()); third != GraphReordered {
		t.Errorf("a graph without scratch is %s", third)
	}
	plan, err := alloc.Solve(t.Context(), records, alloc.Options{Approach: alloc.Offsets, Strategy: "greedy-by-size"})
	if err != nil {
		t.Fatal(err)
	}
	if p := r.AddStrategy("greedy-by-size", "greedy", GraphFile, plan, rules.Arena{Figures: rules.Figures{Used: plan.Total + 10, Head: plan.Total, Tail: 10}}); len(p.Offsets) != len(records) || p.Used != plan.Total+10 || p.InModel {
		t.Errorf("%+v", p)
	}
	roles := map[lifetime.Role]int{}
	for i, x := range r.Graphs[0].Tensors {
		if roles[x.Role]++; x.Role != Roles(v, records)[i] {
			t.Errorf("%s is %s", x.ID, x.Role)
		}
	}
	if roles["input"] != 1 || roles["output"] != 2 || roles["scratch"] != 1 || roles["activation"] != len(records)-4 {
		t.Errorf("roles %v", roles)
	}
	if names := StepNames(v); len(names) != len(r.Graphs[0].Operators) || names[1] != r.Graphs[0].Operators[1].Name {
		t.Errorf("steps %v", names)
	}
}

// File names are escaped for terminals.
func TestReportsTextPrintable(t *testing.T) {
	if text := ReportsText([]*Report{{Input: "b\x1b[31m\u202e\n.tflite"}}, Style{}); !strings.Contains(text, `b\x1b[31m\u202e\n.tflite`) {
		t.Errorf("%q", text)
	}
}

// Neither does the name that a file of tiles has for its case.
func TestTilesTextPrintable(t *testing.T) {
	if text := TilesText([]*Plan{{Case: "c\x1b[31m", Semantics: "atomic"}}, Style{}); !strings.Contains(text, `c\x1b[31m, atomic steps`) {
		t.Errorf("%q", text)
	}
}
