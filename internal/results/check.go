package results

import (
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/internal/tables"
)

// A Check is what the command "check" prints of one model.
type Check struct {
	SchemaVersion int    `json:"schema_version"`
	Input         string `json:"input"`
	Pass          bool   `json:"pass"`
	// ArenaBytes is the whole arena: the larger of HeadBytes and PlanningBytes, and
	// TailBytes.
	ArenaBytes    int64 `json:"arena_bytes"`
	HeadBytes     int64 `json:"head_bytes"`
	PlanningBytes int64 `json:"planning_bytes"`
	TailBytes     int64 `json:"tail_bytes"`
	// LargestTensor is zero where the model plans none.
	LargestTensor Tensor `json:"largest_tensor"`
	// PlanFollowed says that the head is that of a plan which the model carries.
	PlanFollowed bool     `json:"plan_followed"`
	Scratch      string   `json:"scratch"`
	PointerBytes int64    `json:"pointer_bytes"`
	Parts        []Part   `json:"parts"`
	Budgets      []Budget `json:"budgets"`
	Notes        []string `json:"notes"`
	Warnings     []string `json:"warnings"`
}

// A Part is one item of the arena.
type Part struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"`
	// Estimated says that the size is not certain; Basis says what it rests on.
	Estimated bool   `json:"estimated"`
	Basis     string `json:"basis"`
}

// A Budget is a limit and what there is.
type Budget struct {
	// Name is "arena", "head" or "tensor".
	Name        string `json:"name"`
	LimitBytes  int64  `json:"limit_bytes"`
	ActualBytes int64  `json:"actual_bytes"`
	Pass        bool   `json:"pass"`
	// Detail names the tensor, if it is about one.
	Detail string `json:"detail"`
}

// Checks is what the command "check" prints of several models.
type Checks struct {
	SchemaVersion int      `json:"schema_version"`
	Pass          bool     `json:"pass"`
	Checks        []*Check `json:"checks"`
}

// Judge compares what there is with a limit.
func (c *Check) Judge(name string, actual, limit int64, detail string) {
	pass := actual <= limit
	c.Budgets = append(c.Budgets, Budget{name, limit, actual, pass, detail})
	c.Pass = c.Pass && pass
}

// Text returns the verdicts for people, a line each, and below them what the arena
// holds.
func (c *Check) Text(s Style) string {
	var b strings.Builder
	for _, budget := range c.Budgets {
		b.WriteString(budget.line(s) + "\n")
	}
	title := fmt.Sprintf("arena: %s for %d-byte pointers", s.bytes(c.ArenaBytes), c.PointerBytes)
	s.table(&b, title, c.partTable())
	b.WriteString("\n")
	for _, note := range c.Notes {
		s.line(&b, "note", note)
	}
	return b.String()
}

func (c *Check) partTable() *tables.Table {
	t := &tables.Table{Columns: []tables.Column{
		{Head: "part"}, {Head: "size", Kind: tables.Bytes}, {Head: "certain"}, {Head: "basis"},
	}}
	for _, p := range c.Parts {
		certain := "yes"
		if p.Estimated {
			certain = "estimate"
		}
		t.Add(p.Name, p.Bytes, certain, p.Basis)
	}
	return t
}

// verdict returns "PASS" or "FAIL".
func (b Budget) verdict() string {
	if b.Pass {
		return "PASS"
	}
	return "FAIL"
}

func (b Budget) line(s Style) string {
	verdict := s.Paint.Good("PASS")
	if !b.Pass {
		verdict = s.Paint.Warn("FAIL")
	}
	return fmt.Sprintf("%s  %-7s %s", verdict, b.Name+":", b.sentence(s))
}

// sentence says how what there is compares with the limit.
func (b Budget) sentence(s Style) string {
	detail := ""
	if b.Detail != "" {
		detail = " (" + tables.Printable(b.Detail) + ")"
	}
	if b.Pass {
		return fmt.Sprintf("%s of %s%s, %s to spare", s.bytes(b.ActualBytes), s.bytes(b.LimitBytes), detail, s.bytes(b.LimitBytes-b.ActualBytes))
	}
	return fmt.Sprintf("%s of %s%s, %s too many", s.bytes(b.ActualBytes), s.bytes(b.LimitBytes), detail, s.bytes(b.ActualBytes-b.LimitBytes))
}

// ChecksText returns checks for people, as [AnalysesText] does analyses.
func ChecksText(list []*Check, s Style) string {
	return sections(len(list), func(i int) (string, string) { return list[i].Input, list[i].Text(s) }, s)
}

// ChecksMarkdown returns one table of all verdicts, for a comment on a change.
func ChecksMarkdown(list []*Check, s Style) string {
	t := &tables.Table{Columns: []tables.Column{
		{Head: "verdict"},
		{Head: "model"},
		{Head: "budget"},
		{Head: "there is", Kind: tables.Bytes},
		{Head: "limit", Kind: tables.Bytes},
		{Head: "tensor"},
	}}
	for _, c := range list {
		for _, b := range c.Budgets {
			t.Add(b.verdict(), c.Input, b.Name, b.ActualBytes, b.LimitBytes, b.Detail)
		}
	}
	return t.Markdown(s.Layout)
}

// ChecksGitHub returns a line for each verdict; what fails is an annotation of the
// file (a workflow command of GitHub Actions).
func ChecksGitHub(list []*Check, s Style) string {
	var b strings.Builder
	for _, c := range list {
		for _, budget := range c.Budgets {
			text := fmt.Sprintf("%s: %s", budget.Name, budget.sentence(s))
			if budget.Pass {
				fmt.Fprintf(&b, "PASS %s: %s\n", tables.Printable(c.Input), text)
				continue
			}
			fmt.Fprintf(&b, "::error file=%s,title=%s::%s\n", property(c.Input), property("memory budget: "+budget.Name), message(text))
		}
	}
	return b.String()
}

// message and property escape the text of a workflow command, and a value in front
// of it.
func message(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(text)
}

func property(value string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(value)
}
