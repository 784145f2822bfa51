package results

import (
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/provenance"
	"github.com/tflarena/tflarena/rewrite/verify"
)

// A Verification is the output of "verify" for one model.
type Verification struct {
	Input string `json:"input"`
	// Whether the verdict is yes.
	OK bool `json:"pass"`
	// Number of embedded memory plans. The last one is in effect: the other fields are about it.
	Plans int `json:"plan_count"`
	// Version that the plan states, which may be negative; 0 without a readable plan.
	Version int `json:"plan_version"`
	// Marker that names the kernels the plan requires. Absent if the model has none, or it cannot be read.
	Marker *rewrite.Marker `json:"marker,omitempty"`
	// Rules by which operators were replaced, as the file records them. Absent if it has no record, or one that cannot
	// be read.
	Rules          *provenance.Record `json:"rules,omitempty"`
	TensorsFixed   int                `json:"tensors_fixed"`
	TensorsPlanned int                `json:"tensors_planned"`
	// End of the highest tensor that the plan fixes, in bytes from the start of the arena.
	FixedBytes int64 `json:"fixed_bytes"`
	// Head with the plan in bytes, including the scratch that `scratch` names. Absent if the runtime cannot follow
	// the plan.
	Head    *int64 `json:"head_bytes,omitempty"`
	Scratch string `json:"scratch"`
	KernelLibrary
	// Findings about the embedded memory plan.
	Findings []Finding `json:"findings"`
	Notes    []Note    `json:"notes"`
	Warnings []Note    `json:"warnings"`
	// ScratchNote says which scratch the head counts, as the end of a sentence.
	ScratchNote string `json:"-"`
}

// A Finding is one finding about a plan.
type Finding struct {
	// Law that the finding is about. `verify --help` lists them.
	Law verify.Law `json:"law"`
	// Severity for the plan: it is broken, memory is shared on purpose, or nothing is wrong.
	Severity verify.Severity `json:"severity"`
	// Sentence for people, whose wording may change.
	Message string `json:"message"`
	// Table and field of the file, such as subgraphs[0].tensors[7].shape.
	Path string `json:"path"`
	// Byte of the file at which `path` is. Absent if the file has nothing there.
	Offset int64 `json:"offset_bytes,omitzero"`
	// Tensors that the finding is about.
	Tensors []Use `json:"tensors"`
}

// A Use is a tensor with its time, inclusive, and its place. It has no offset if the runtime chooses
// it.
type Use struct {
	ID string `json:"id"`
	// Name in the file.
	Name string `json:"name"`
	// First position at which the tensor is alive, inclusive; negative before the run.
	FirstOp int `json:"first_op"`
	// Last position at which the tensor is alive, inclusive; negative before the run.
	LastOp int `json:"last_op"`
	// Start of the tensor, in bytes from the start of the arena. Absent if the runtime chooses it.
	OffsetBytes *int64 `json:"offset_bytes,omitempty"`
	// Memory of the tensor in bytes, as the runtime rounds it. Absent if unknown.
	SizeBytes *int64 `json:"size_bytes,omitempty"`
}

// NewVerification returns the findings about the plan of an input.
func NewVerification(input string, v *verify.Report) *Verification {
	r := &Verification{
		Input: input, OK: v.OK(), Marker: v.Marker, Rules: v.Rules,
		TensorsFixed: len(v.Pinned), TensorsPlanned: v.Planned, FixedBytes: v.Head,
		Findings: []Finding{}, Notes: []Note{}, Warnings: []Note{},
	}
	if n := len(v.Plans); n > 0 {
		r.Version = int(v.Plans[n-1].Version)
	}
	for _, f := range v.Findings {
		finding := Finding{
			Law: f.Law, Severity: f.Severity, Message: f.Message,
			Path: f.Path, Offset: f.Offset, Tensors: []Use{},
		}
		for _, u := range f.Tensors {
			use := Use{ID: u.ID, Name: u.Name, FirstOp: u.First, LastOp: u.Last}
			if u.Start >= 0 {
				size := u.End - u.Start
				use.OffsetBytes, use.SizeBytes = &u.Start, &size
			}
			finding.Tensors = append(finding.Tensors, use)
		}
		r.Findings = append(r.Findings, finding)
	}
	return r
}

// Text returns the verdict for people, then the findings, failures first.
func (v *Verification) Text(s Style) string {
	var b strings.Builder
	s.line(&b, "plan", v.verdict(s))
	if v.Plans > 0 && v.Head != nil {
		s.line(&b, "fixed", fmt.Sprintf("%d of %s, in %s", v.TensorsFixed, count(v.TensorsPlanned, "tensor"), s.bytes(v.FixedBytes)))
		s.line(&b, "head", s.bytes(*v.Head)+" when TensorFlow Lite Micro follows the plan"+v.ScratchNote)
	}
	if v.Plans > 0 && v.Marker != nil {
		s.line(&b, "kernels", kernelsText(v.Marker))
	}
	if v.Rules != nil {
		s.line(&b, "rules", RecordText(v.Rules)+"; exact with "+v.Rules.Exact.String())
	}
	for _, severity := range []verify.Severity{verify.Failure, verify.Aliasing, verify.Note} {
		v.list(&b, s, severity)
	}
	return b.String()
}

func (v *Verification) verdict(s Style) string {
	failures, stray, replaced := 0, false, false
	for _, f := range v.Findings {
		if f.Severity == verify.Failure {
			failures++
			stray, replaced = stray || f.Law == verify.LawMarker, replaced || f.Law == verify.LawRules
		}
	}
	switch {
	case stray && v.Plans == 0:
		return s.Paint.Bad("none") + ", but there is a marker for one"
	case replaced && v.Plans == 0:
		return s.Paint.Bad("none") + ", but there is a record of rules that does not hold"
	case failures > 0 && v.Plans == 0:
		return s.Paint.Bad("none") + ", although one is required"
	case failures > 0:
		return s.Paint.Bad("broken") + ", " + count(failures, "failure")
	case v.Plans == 0:
		return "none; the runtime plans the memory itself"
	}
	return s.Paint.Good("ok")
}

// where returns the place in the file, if any.
func (f Finding) where() string {
	if f.Offset == 0 { // no part of a model that a finding can be about
		return f.Path
	}
	return fmt.Sprintf("%s at %#x", f.Path, f.Offset)
}

// labels are the labels of findings.
var labels = map[verify.Severity]string{verify.Failure: "failure", verify.Aliasing: "intended", verify.Note: "note"}

// list writes the findings of one severity, limited to the first unless Top is 0.
func (v *Verification) list(b *strings.Builder, s Style, severity verify.Severity) {
	n := 0
	for _, f := range v.Findings {
		if f.Severity != severity {
			continue
		}
		if n++; s.Top == 0 || n <= s.Top {
			s.line(b, labels[severity], tables.Printable(fmt.Sprintf("%s: %s (%s)", f.Law, f.Message, f.where())))
		}
	}
	if more := n - s.Top; s.Top > 0 && more > 0 {
		s.line(b, labels[severity], fmt.Sprintf("(%s)", count(more, "other")))
	}
}

// VerificationsText returns verdicts for people, as [AnalysesText] does for analyses.
func VerificationsText(list []*Verification, s Style) string {
	return sections(len(list), func(i int) (string, string) { return list[i].Input, list[i].Text(s) }, s)
}
