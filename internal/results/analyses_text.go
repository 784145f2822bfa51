package results

import (
	"strings"

	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/internal/units"
)

// AnalysesText returns analyses for people: a single one in full; several as a line each, followed by
// all reports if details are requested or as Markdown.
func AnalysesText(list []*Analysis, s Style) string {
	var b strings.Builder
	if len(list) > 1 {
		if s.Markdown {
			b.WriteString("# " + count(len(list), "model") + "\n\n" + overview(list).Markdown(s.Layout) + "\n")
		} else {
			b.WriteString(overview(list).Text(s.Layout))
		}
		if !s.Details && !s.Markdown {
			b.WriteString(tables.Wrap("(--details shows the report of each model as well)", s.Width, 0, 1) + "\n")
			return b.String()
		}
	}
	return b.String() + sections(len(list), func(i int) (string, string) { return list[i].Input, list[i].Text(s) }, s)
}

// overview has a line for each model.
func overview(list []*Analysis) *tables.Table {
	figure, micro := "head", list[0].micro
	if !micro {
		figure = list[0].figure
	}
	name := shorter(list, func(a *Analysis) string { return a.Input })
	t := overviewTable(figure, "what to do")
	for _, a := range list {
		t.Add(name(a.Input), cell(a.Figures, a.Required), cell(a.Figures, a.Used), a.Head, a.least(), units.Percent(a.total()-a.least(), a.total()), a.verdict())
	}
	if !micro { // only the planned memory is known
		t.Columns[1].Head, t.Columns[2].Head = "", ""
	}
	return t
}

// overviewTable returns the table of models without its rows; figure is the runtime's name for the
// planned memory.
func overviewTable(figure, verdict string) *tables.Table {
	return &tables.Table{Columns: []tables.Column{
		{Head: "model", Kind: tables.Name},
		{Head: "required", Key: "required_bytes", Kind: tables.Bytes},
		{Head: "used", Key: "used_bytes", Kind: tables.Bytes, Rank: 4},
		{Head: figure, Kind: tables.Bytes, Rank: 3},
		{Head: "best", Kind: tables.Bytes, Rank: 2},
		{Head: "gain", Kind: tables.Right, Rank: 1},
		{Head: verdict},
	}}
}

// shorter returns a function that removes the common folder from names.
func shorter[T any](list []T, of func(T) string) func(string) string {
	folder := ""
	for i, x := range list {
		parent := of(x)[:strings.LastIndexAny(of(x), `/\`)+1]
		if i == 0 {
			folder = parent
		}
		for !strings.HasPrefix(parent, folder) {
			folder = folder[:strings.LastIndexAny(folder[:len(folder)-1], `/\`)+1]
		}
	}
	return func(name string) string { return strings.TrimPrefix(name, folder) }
}

// verdict is the recommendation for a model in a few words.
func (a *Analysis) verdict() string {
	switch a.NextStep() {
	case StepPlan:
		return "plan"
	case StepRepair:
		return "rewrite --repair"
	case StepBlocked:
		return string(a.Verdict)
	case StepSort:
		return "rewrite --toposort"
	case StepRewrite:
		return "rewrite"
	case StepReorder:
		return "rewrite --reorder"
	case StepFit:
		return "fit: " + units.Percent(a.Size()-a.Tiled.Size(), a.Size()) + " less"
	}
	return "nothing: " + a.certainty()
}

// certainty describes the proof that no plan is better.
func (a *Analysis) certainty() string {
	switch {
	case a.BestStrategy == embeddedPlanName:
		return "it has a plan"
	case a.ProvenOptimal:
		return "proven best"
	}
	return "none is known"
}
