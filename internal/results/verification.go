package results

import (
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/verify"
)

// A Verification is what the command "verify" prints of one model.
type Verification struct {
	Input string `json:"input"`
	OK    bool   `json:"pass"`
	// Plans is how many memory plans the model has. What follows is about the one in
	// effect, the last, and zero where there is none that can be read.
	Plans   int `json:"plan_count"`
	Version int `json:"plan_version"`
	// Marker says with which kernels the plan is right, nil where the file does not.
	Marker         *rewrite.Marker `json:"marker,omitempty"`
	TensorsFixed   int             `json:"tensors_fixed"`
	TensorsPlanned int             `json:"tensors_planned"`
	// FixedBytes is what the fixed tensors alone demand, HeadBytes the head that the
	// runtime makes of the plan, with the scratch that Scratch names; nil when it cannot
	// follow it.
	FixedBytes int64  `json:"fixed_bytes"`
	HeadBytes  *int64 `json:"head_bytes,omitempty"`
	Scratch    string `json:"scratch"`
	KernelLibrary
	Findings []Finding `json:"findings"`
	Notes    []Note    `json:"notes"`
	Warnings []Note    `json:"warnings"`
	// ScratchNote says which scratch the head counts, as the end of a sentence.
	ScratchNote string `json:"-"`
}

// A Finding is one thing that was found about a plan.
type Finding struct {
	// Law and Severity are those of package rewrite/verify.
	Law      string `json:"law"`
	Severity string `json:"severity"`
	Message  string `json:"message"`
	// Path and Offset, in bytes, are where in the file it is; Offset is 0, and left out of
	// JSON, where the file has nothing there.
	Path    string `json:"path"`
	Offset  int64  `json:"offset_bytes,omitzero"`
	Tensors []Use  `json:"tensors"`
}

// A Use is a tensor with its place in time, inclusive, and in memory. There is no offset
// where the runtime chooses.
type Use struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	FirstOp     int    `json:"first_op"`
	LastOp      int    `json:"last_op"`
	OffsetBytes *int64 `json:"offset_bytes,omitempty"`
	SizeBytes   *int64 `json:"size_bytes,omitempty"`
}

// NewVerification returns what was found about the plan of an input.
func NewVerification(input string, v *verify.Report) *Verification {
	r := &Verification{
		Input: input, OK: v.OK(), Marker: v.Marker,
		TensorsFixed: len(v.Pinned), TensorsPlanned: v.Planned, FixedBytes: v.Head,
		Findings: []Finding{}, Notes: []Note{}, Warnings: []Note{},
	}
	if n := len(v.Plans); n > 0 {
		r.Version = int(v.Plans[n-1].Version)
	}
	for _, f := range v.Findings {
		finding := Finding{
			Law: string(f.Law), Severity: string(f.Severity), Message: f.Message,
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

// Text returns the verdict for people, then what was found, failures first.
func (v *Verification) Text(s Style) string {
	var b strings.Builder
	s.line(&b, "plan", v.verdict(s))
	if v.Plans > 0 && v.HeadBytes != nil {
		s.line(&b, "fixed", fmt.Sprintf("%d of %s, in %s", v.TensorsFixed, count(v.TensorsPlanned, "tensor"), s.bytes(v.FixedBytes)))
		s.line(&b, "head", s.bytes(*v.HeadBytes)+" when TensorFlow Lite Micro follows the plan"+v.ScratchNote)
	}
	if v.Plans > 0 && v.Marker != nil {
		s.line(&b, "kernels", kernelsText(v.Marker))
	}
	for _, severity := range []verify.Severity{verify.Failure, verify.Aliasing, verify.Note} {
		v.list(&b, s, severity)
	}
	return b.String()
}

func (v *Verification) verdict(s Style) string {
	failures, stray := 0, false
	for _, f := range v.Findings {
		if f.Severity == string(verify.Failure) {
			failures++
			stray = stray || f.Law == string(verify.LawMarker)
		}
	}
	switch {
	case stray && v.Plans == 0:
		return s.Paint.Bad("none") + ", but there is a marker for one"
	case failures > 0 && v.Plans == 0:
		return s.Paint.Bad("none") + ", although one is required"
	case failures > 0:
		return s.Paint.Bad("broken") + ", " + count(failures, "failure")
	case v.Plans == 0:
		return "none; the runtime plans the memory itself"
	}
	return s.Paint.Good("ok")
}

// where says where in the file it is, as far as there is a place.
func (f Finding) where() string {
	if f.Offset == 0 { // no part of a model that a finding can be about
		return f.Path
	}
	return fmt.Sprintf("%s at %#x", f.Path, f.Offset)
}

// labels are what the lines of findings begin with.
var labels = map[verify.Severity]string{verify.Failure: "failure", verify.Aliasing: "intended", verify.Note: "note"}

// list writes the findings of one severity, cut to the first unless Top is 0.
func (v *Verification) list(b *strings.Builder, s Style, severity verify.Severity) {
	n := 0
	for _, f := range v.Findings {
		if f.Severity != string(severity) {
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

// VerificationsText returns verdicts for people, as [AnalysesText] does analyses.
func VerificationsText(list []*Verification, s Style) string {
	return sections(len(list), func(i int) (string, string) { return list[i].Input, list[i].Text(s) }, s)
}
