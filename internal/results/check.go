package results

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// A Check is the output of "check" for one model.
type Check struct {
	Input string `json:"input"`
	Pass  bool   `json:"pass"`
	// Verdict on the model in its budgets.
	Verdict Verdict `json:"verdict"`
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
	Board
	// Verdicts with the kernel libraries that devices ship. Absent if the figures are for a library that was chosen.
	OtherKernels []OtherBuild `json:"other_kernels,omitempty"`
	Time         *Time        `json:"time,omitempty"`
	// Description of the ABI, for people.
	Target       string `json:"target"`
	PointerBytes int64  `json:"pointer_bytes"`
	// Contents of the arena.
	Parts []Part `json:"parts"`
	// Limits that the model is compared with.
	Budgets []Budget `json:"budgets"`
	// Command line that may make the model fit its budgets, or that writes its firmware if it fits; empty without one.
	Next string `json:"next"`
	// Model before. Absent without one.
	Base *Baseline `json:"base,omitempty"`
	// Whether the folder of models before lacks the model. Absent if not.
	New      bool   `json:"new,omitempty"`
	Notes    []Note `json:"notes"`
	Warnings []Note `json:"warnings"`

	best int64
	// across reports that OtherKernels are releases to be checked, and worst is the first with the worst
	// verdict if that is worse than the model's own.
	across bool
	worst  *OtherBuild
}

// A Baseline is the model that a check is compared with.
type Baseline struct {
	Input string `json:"input"`
	rules.Figures
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

	limit string // what the limit is in sentences, "" for a budget
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

// newBudget compares a figure with a limit, both in bytes. Without figures, only a tensor has a size.
func newBudget(name BudgetName, f rules.Figures, actual, limit int64, detail string) Budget {
	b := Budget{Name: name, Figure: budgetFields[name], LimitBytes: limit, ActualBytes: actual, Pass: actual <= limit, Detail: detail}
	if name != BudgetTensor && !f.Known() {
		b.ActualBytes, b.Pass, b.Unknown = 0, false, true
	}
	return b
}

// Judge compares a figure with a limit.
func (c *Check) Judge(name BudgetName, actual, limit int64, detail string) {
	b := newBudget(name, c.Figures, actual, limit, detail)
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

// On sets the target. Kernels that are not modelled leave no figure for a budget of the arena.
func (c *Check) On(b Board) {
	c.Board = b
	for i := range c.Budgets {
		if x := &c.Budgets[i]; b.Unmodelled != "" && x.Name != BudgetTensor {
			x.ActualBytes, x.Pass, x.Unknown = 0, false, true
			c.Pass = false
		}
	}
	c.Decide()
}

// Decide sets the verdict, when the budgets and the faults are known.
func (c *Check) Decide() { c.Verdict = c.ruling().verdict() }

func (c *Check) ruling() *ruling {
	r := &ruling{figures: c.Figures, board: c.Board, budgets: c.Budgets}
	if len(c.Failures) > 0 { // otherwise faults are allowed
		r.faults = c.Faults
	}
	if c.PlanProblem != "" {
		r.plan = c.planSentence()
	}
	return r
}

// Text returns the verdict for people, then what it is about, then the parts of the arena.
func (c *Check) Text(s Style) string {
	var b strings.Builder
	c.verdictLines(&b, s)
	s.memory(&b, c.Verdict, c.Figures)
	if c.Known() {
		s.line(&b, "peak", "when "+c.RequiredDecidedBy)
	}
	if text := c.change(s); text != "" {
		s.line(&b, "change", text)
	}
	s.older(&b, c.OlderRuntime)
	c.Time.line(s, &b, 0, 0)
	s.line(&b, "ABI", c.ABI+": "+c.Target)
	s.kernels(&b, c.KernelLibrary)
	if !c.across {
		s.otherKernels(&b, c.Verdict, c.OtherKernels)
	}
	b.WriteString(s.Next(c.Next))
	if c.across {
		s.table(&b, "with each release", c.acrossTable())
	}
	s.table(&b, "what the arena holds", c.partTable())
	b.WriteString("\n")
	for _, note := range c.Notes {
		s.line(&b, "note", note.Text)
	}
	return b.String()
}

// verdictLines writes the verdict, then other faults and budgets, a line each.
func (c *Check) verdictLines(b *strings.Builder, s Style) {
	r, faults := c.ruling(), c.Failures
	if c.worst != nil {
		s.answer(b, c.Verdict, c.worstText(s), c.worst.Kernels)
		s.budgets(b, c.Budgets, nil)
	} else {
		faults = s.ruled(b, r, c.Failures, builtFor(c.ABI, c.Kernels))
	}
	if r.plan != "" && len(r.faults) > 0 {
		s.line(b, "plan", r.plan)
	}
	for i, f := range faults {
		if i == maxProblems {
			s.line(b, "note", fmt.Sprintf("%d more faults; --json lists all", len(faults)-i))
			break
		}
		label, rest, _ := strings.Cut(f.Text, ": ")
		s.line(b, label, rest)
	}
}

// change compares the model with the one before, or returns "".
func (c *Check) change(s Style) string {
	switch {
	case c.New:
		return "new: the base has no such model"
	case c.Base == nil:
		return ""
	case !c.Known() || !c.Base.Known():
		return "not known (base: " + c.Base.Input + ")"
	}
	return s.change(c.Base.Required, c.Required) + " (base: " + c.Base.Input + ")"
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

// figureNames are the names of the figures that budgets limit, in sentences.
var figureNames = map[BudgetName]string{BudgetArena: "requires", BudgetHead: "head", BudgetTensor: "largest tensor", BudgetGrowth: "used"}

// sentence compares the figure with the limit.
func (b Budget) sentence(s Style) string {
	detail := ""
	if b.Detail != "" {
		detail = " (" + tables.Printable(b.Detail) + ")"
	}
	if b.Unknown {
		return fmt.Sprintf("%s: no figure for the budget of %s%s", b.Name, s.short(b.LimitBytes), detail)
	}
	return s.against(figureNames[b.Name], b.ActualBytes, b.LimitBytes, cmp.Or(b.limit, "budget")) + detail
}
