package results

import (
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// A Check is the output of "check" for one model.
type Check struct {
	Input string `json:"input"`
	Pass  bool   `json:"pass"`
	// Failed says why the model could not be checked; the rest is then empty, and Failed is
	// what JSON has.
	Failed *Failed `json:"-"`
	// Fault of the embedded memory plan, which fails the model whatever its budgets. Absent without one.
	PlanProblem string  `json:"plan_problem,omitempty"`
	PlanRemedy  Remedy  `json:"-"`
	Faults      []Fault `json:"faults"`
	Failures    []Note  `json:"-"`
	// The budget for the arena is compared with the required arena; RequiredDecidedBy is
	// when most is needed.
	rules.Figures
	// Moment at which the runtime needs the most memory, for people.
	RequiredDecidedBy string        `json:"required_decided_by"`
	OlderRuntime      *OlderRuntime `json:"older_runtime,omitempty"`
	// Largest planned tensor, the first of equals; constants and variables are not planned. Absent if nothing is planned.
	LargestTensor Tensor        `json:"largest_tensor,omitzero"`
	EmbeddedPlan  *EmbeddedPlan `json:"embedded_plan,omitempty"`
	Scratch       string        `json:"scratch"`
	ABI           string        `json:"abi"`
	KernelLibrary
	// Description of the ABI, for people.
	Target       string `json:"target"`
	PointerBytes int64  `json:"pointer_bytes"`
	// Contents of the arena.
	Parts []Part `json:"parts"`
	// Limits that the model is compared with.
	Budgets []Budget `json:"budgets"`
	// Command line that may make the model fit its budgets; empty if it does already.
	Next     string `json:"next"`
	Notes    []Note `json:"notes"`
	Warnings []Note `json:"warnings"`

	best int64
}

// A Part is one item of the arena.
type Part struct {
	// Name of the part.
	Name string `json:"name"`
	// Size of the part in bytes.
	Bytes int64 `json:"size_bytes"`
	// Whether the size is an estimate.
	Estimated bool `json:"estimated"`
	// Source of the size.
	Basis string `json:"basis"`
}

// A Budget is a limit with the actual figure.
type Budget struct {
	// Budget, named after its flag: `--max-arena`, `--max-head`, `--max-tensor` or `--max-growth`.
	Name BudgetName `json:"name"`
	// Field that is compared with the limit: of this element, or of its largest_tensor.
	Figure string `json:"figure"`
	// Inclusive limit in bytes.
	LimitBytes int64 `json:"limit_bytes"`
	// Value of the figure, in bytes, which is compared with the limit.
	ActualBytes int64 `json:"actual_bytes"`
	Pass        bool  `json:"pass"`
	// Tensor that the budget is about, or why the figure is unknown, for people. Absent otherwise.
	Detail string `json:"detail,omitempty"`
	// Whether the figure is unknown, so that the budget is not met. Absent if not.
	Unknown bool `json:"unknown,omitempty"`
}

// A BudgetName is the name of a budget.
type BudgetName string

// Names of budgets, in the order of their verdicts.
const (
	BudgetArena  BudgetName = "arena"
	BudgetHead   BudgetName = "head"
	BudgetTensor BudgetName = "tensor"
	BudgetGrowth BudgetName = "growth"
)

// budgetFields are the fields compared with budgets.
var budgetFields = map[BudgetName]string{BudgetArena: "required_bytes", BudgetHead: "head_bytes", BudgetTensor: "size_bytes", BudgetGrowth: "used_bytes"}

// Judge compares a figure with a limit.
func (c *Check) Judge(name BudgetName, actual, limit int64, detail string) {
	b := Budget{Name: name, Figure: budgetFields[name], LimitBytes: limit, ActualBytes: actual, Pass: actual <= limit, Detail: detail}
	if name != BudgetTensor && !c.Known() {
		b.ActualBytes, b.Pass, b.Unknown = 0, false, true
	}
	c.Budgets = append(c.Budgets, b)
	c.Pass = c.Pass && b.Pass
}

// Unjudged records a limit that cannot be checked, with the reason.
func (c *Check) Unjudged(name BudgetName, why string) {
	c.Budgets = append(c.Budgets, Budget{Name: name, Figure: budgetFields[name], Detail: why, Unknown: true})
	c.Pass = false
}

// maxProblems is the largest number of faults in text.
const maxProblems = 5

// Text returns the verdicts for people, a line each, followed by the parts of the arena.
func (c *Check) Text(s Style) string {
	var b strings.Builder
	c.verdictLines(&b, s)
	s.memory(&b, c.Figures, builtFor(c.ABI, c.Kernels))
	if c.Known() {
		s.line(&b, "most", "memory is needed when "+c.RequiredDecidedBy)
	}
	s.older(&b, c.OlderRuntime)
	s.line(&b, "target", c.ABI+": "+c.Target)
	s.kernels(&b, c.KernelLibrary)
	if c.Next != "" {
		s.command(&b, "next", c.Next)
	}
	s.table(&b, "what the arena holds", c.partTable())
	b.WriteString("\n")
	for _, note := range c.Notes {
		s.line(&b, "note", note.Text)
	}
	return b.String()
}

// verdictLines writes a line for each verdict.
func (c *Check) verdictLines(b *strings.Builder, s Style) {
	if c.PlanProblem != "" {
		b.WriteString(verdictLine(s, fail, "plan", c.planSentence()) + "\n")
	}
	for i, f := range c.Failures {
		if i == maxProblems {
			s.line(b, "note", fmt.Sprintf("%d more faults; --json lists all", len(c.Failures)-i))
			break
		}
		b.WriteString(faultLine(s, f) + "\n")
	}
	for _, budget := range c.Budgets {
		b.WriteString(verdictLine(s, budget.verdict(), budget.label(), budget.sentence(s)) + "\n")
	}
}

func (c *Check) partTable() *tables.Table {
	t := &tables.Table{Columns: []tables.Column{
		{Head: "part"}, {Head: "size", Kind: tables.Bytes}, {Head: "certain"}, {Head: "basis", Rank: 1},
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

// label names the figure compared with the budget.
func (b Budget) label() string {
	if b.Name == BudgetArena {
		return "required"
	}
	return string(b.Name)
}

// The verdicts.
const (
	pass     = "PASS"
	fail     = "FAIL"
	notKnown = "NOT KNOWN"
)

func (b Budget) verdict() string {
	switch {
	case b.Unknown:
		return notKnown
	case b.Pass:
		return pass
	}
	return fail
}

// faultLine is the verdict of a fault: "FAIL does not run: operator 0:3 ...".
func faultLine(s Style, f Note) string {
	const before = 14
	return s.Paint.Bad(fail) + "  " + tables.Wrap(tables.Printable(f.Text), s.Width, 6, before)
}

func verdictLine(s Style, verdict, name, sentence string) string {
	verdict = s.verdictPaint(verdict)
	const before, indent = 14, 6 // as in lines without a verdict, and after it
	label := fmt.Sprintf("%-7s ", name+":")
	return verdict + "  " + label + tables.Wrap(sentence, s.Width, max(before, indent+len(label)), before)
}

// planSentence describes the fault of the plan.
func (c *Check) planSentence() string {
	return tables.Printable("the embedded memory plan " + c.PlanProblem)
}

// estimate names the estimated parts of a budget's figure, or returns "".
func (c *Check) estimate(b Budget) string {
	var names []string
	for _, p := range c.Parts {
		counts := b.Name == BudgetArena || b.Name == BudgetGrowth || string(b.Name) == p.Name
		switch {
		case !counts || !p.Estimated:
		case p.Name == "head":
			names = append(names, "head (kernel scratch is not counted)")
		default:
			names = append(names, p.Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "estimates: " + strings.Join(names, ", ")
}

// sentence compares the figure with the limit.
func (b Budget) sentence(s Style) string {
	detail := ""
	if b.Detail != "" {
		detail = " (" + tables.Printable(b.Detail) + ")"
	}
	if b.Unknown {
		return fmt.Sprintf("no figure for the budget of %s%s", s.bytes(b.LimitBytes), detail)
	}
	if b.Pass {
		return fmt.Sprintf("%s of %s%s, %s to spare", s.bytes(b.ActualBytes), s.bytes(b.LimitBytes), detail, s.short(b.LimitBytes-b.ActualBytes))
	}
	return fmt.Sprintf("%s of %s%s, %s too many", s.bytes(b.ActualBytes), s.bytes(b.LimitBytes), detail, s.short(b.ActualBytes-b.LimitBytes))
}
