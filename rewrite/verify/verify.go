package verify

import (
	"errors"
	"fmt"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/blocks"
	"github.com/tflarena/tflarena/rewrite/provenance"
	"github.com/tflarena/tflarena/tflite"
)

// Plan checks the memory plan of m against the file alone: it derives live ranges and sizes
// anew and shares no code with any strategy. An error means that there is no verdict; it is
// [lifetime.ErrTooLarge] if subgraph calls are too numerous to follow.
//
// Kernel scratch is not in the file. The runtime places it around the plan, so scratch can
// raise the head but is harmless, except to variables ([LawVariable]).
//
// The plan is checked for the kernels named by its marker or, without one, for the reference
// kernels.
func Plan(m *tflite.Model) (*Report, error) { return PlanFor(m, "") }

// PlanFor is [Plan] for the kernels of a library. A marker that names other kernels is a
// failure ([LawMarker]). An empty name selects the marker's kernels.
func PlanFor(m *tflite.Model, kernels string) (*Report, error) {
	v := &verifier{model: m, kernels: kernels, out: &Report{}}
	usable := v.entries()
	v.marker()
	v.afterMarker = len(v.out.Findings)
	v.blocks()
	v.rules()
	if !usable {
		return v.out, nil
	}
	v.plan = &v.out.Plans[len(v.out.Plans)-1]
	if err := v.derive(); err != nil {
		return nil, err
	}
	v.markScratch()
	v.offsets()
	v.shared()
	v.judgeAlias()
	v.variables()
	v.variableEntries()
	v.ignored()
	v.unused()
	return v.out, nil
}

// verifier is the state of one run of Plan. plan is the effective plan, nil unless its number
// of offsets matches the tensors.
type verifier struct {
	model *tflite.Model
	// kernels is the kernel library to check for.
	kernels string
	out     *Report
	plan    *rewrite.Plan
	view    *rules.View
	pinned  []pinned
	online  []lifetime.Record
	// first holds, for each subgraph, the index of its first tensor in the plan.
	first []int
	// takeovers holds the permitted in-place placements and their reasons; see inPlaceOutput.
	takeovers map[takeover]string
	// least holds the lowest --alias that permits each of them.
	least map[takeover]rules.Alias
	// remaining are the records with gaps of tensors read slice by slice; see spent.
	remaining map[lifetime.Place]lifetime.Record
	// overlaps are the permitted overlaps by input and output; see overlap. measured are those
	// confirmed by running the kernels.
	overlaps, measured map[[2]lifetime.Place]*lifetime.Overlap
	// highestAlias is the intended sharing that needs the highest --alias.
	highestAlias sharing
	// afterMarker is the index of the first finding after LawMarker's.
	afterMarker int
}

// pinned is a tensor with an offset in the plan.
type pinned struct {
	Use
	subgraph, tensor int
	index            int // in the plan
	variable         bool
	// scratch and content are set by markScratch.
	scratch bool
	content int
}

// report adds a finding about the tensor with the given index in the plan.
func (v *verifier) report(law Law, s Severity, index int, tensors []Use, text string, args ...any) {
	v.out.Findings = append(v.out.Findings, Finding{
		Law: law, Severity: s, Message: fmt.Sprintf(text, args...), Tensors: tensors,
		Path: fmt.Sprintf("buffers[%d].data", v.plan.Buffer), Offset: v.plan.Position(index),
	})
}

// entries checks every plan on its own, since the runtime reads them all, and reports whether
// the last is usable.
func (v *verifier) entries() bool {
	usable, tensors := false, v.tensors()
	for p, bad := range rewrite.EachPlan(v.model) {
		if usable = bad == nil; !usable {
			v.out.Findings = append(v.out.Findings, Finding{
				Law: Law(bad.Law), Severity: Failure, Message: bad.Message, Path: bad.Path, Offset: bad.Offset,
			})
			continue
		}
		v.out.Plans = append(v.out.Plans, p)
		if usable = len(p.Offsets) == tensors; !usable {
			v.out.Findings = append(v.out.Findings, Finding{
				Law: LawCount, Severity: Failure, Path: fmt.Sprintf("buffers[%d].data", p.Buffer), Offset: p.At + countAt,
				Message: fmt.Sprintf("the plan of metadata[%d] has %d offsets, but the model has %d tensors; the runtime refuses it", p.Entry, len(p.Offsets), tensors),
			})
		}
	}
	v.single()
	return usable
}

// blocks adds a note if a record of tiled blocks does not describe the model.
func (v *verifier) blocks() {
	_, err := blocks.Read(v.model)
	if bad := (*blocks.Error)(nil); errors.As(err, &bad) {
		v.out.Findings = append(v.out.Findings, Finding{
			Law: LawBlocks, Severity: Note, Path: fmt.Sprintf("metadata[%d]", bad.Entry), Message: err.Error(),
		})
	}
}

// rules checks that the record of rules can be read, and that the rules are exact with the kernels checked for.
func (v *verifier) rules() {
	record, err := provenance.Read(v.model)
	fail := func(entry int, message string) {
		v.out.Findings = append(v.out.Findings, Finding{Law: LawRules, Severity: Failure, Path: fmt.Sprintf("metadata[%d]", entry), Message: message})
	}
	if bad := (*provenance.Error)(nil); errors.As(err, &bad) {
		fail(bad.Entry, err.Error())
		return
	}
	v.out.Rules = record
	if family := rules.KernelFamily(v.kernels); record != nil && family != "" && !record.With(family) {
		fail(record.Entry, fmt.Sprintf("the rules by which its operators were replaced are exact with %s, and not with the %s kernels", strings.Join(record.Kernels, ", "), v.kernels))
	}
}

// countAt is the byte offset of the number of offsets in a plan.
const countAt = 8

// tensors returns the number of tensors in all subgraphs.
func (v *verifier) tensors() (n int) {
	for i := range v.model.Subgraphs {
		n += len(v.model.Subgraphs[i].Tensors)
	}
	return n
}

// single reports plans that differ from the effective one, and copies of it.
func (v *verifier) single() {
	plans := v.out.Plans
	if len(plans) < 2 {
		return
	}
	last := plans[len(plans)-1]
	f := Finding{
		Law: LawEntries, Severity: Note, Path: fmt.Sprintf("metadata[%d]", last.Entry), Offset: last.At,
		Message: fmt.Sprintf("there are %d plans, all the same", len(plans)),
	}
	if p := differing(plans); p != nil {
		f.Severity = Failure
		f.Message = fmt.Sprintf("there are %d plans, and those of metadata[%d] and metadata[%d] differ; the runtime follows the last",
			len(plans), p.Entry, last.Entry)
	}
	v.out.Findings = append(v.out.Findings, f)
}

// differing returns the first plan whose offsets differ from the last, or nil. Plans with the
// same bytes are compared once: a file may have any number.
func differing(plans []rewrite.Plan) *rewrite.Plan {
	last := &plans[len(plans)-1]
	same := map[int64]bool{last.At: true}
	for i := range plans {
		p := &plans[i]
		if same[p.At] {
			continue
		}
		if !slices.Equal(p.Offsets, last.Offsets) {
			return p
		}
		same[p.At] = true
	}
	return nil
}

// derive computes the runtime's usage records. Variables with an offset are ordinary tensors in
// them.
func (v *verifier) derive() (err error) {
	if v.view, err = rules.Micro().OnLibrary(v.kernels).View(v.activated(), -1); err != nil {
		return fmt.Errorf("derive the usage intervals: %w", err)
	}
	records := v.view.Records()
	v.out.Planned = len(records)
	index := 0
	for s, sub := range v.view.Graph.Subgraphs {
		v.first = append(v.first, index)
		for t, tensor := range sub.Tensors {
			if tensor.Planned {
				v.place(s, t, index, records[0])
				records = records[1:]
			}
			index++
		}
	}
	return nil
}

// activated returns the model as the runtime plans it: a variable with an offset is an
// activation.
func (v *verifier) activated() *tflite.Model {
	m := *v.model
	m.Subgraphs = slices.Clone(m.Subgraphs)
	index := 0
	for s := range m.Subgraphs {
		tensors := slices.Clone(m.Subgraphs[s].Tensors)
		for t := range tensors {
			if v.plan.Offsets[index] != rewrite.Online {
				tensors[t].Variable = false
			}
			index++
		}
		m.Subgraphs[s].Tensors = tensors
	}
	return &m
}

// place adds a record to the pinned or the online tensors.
func (v *verifier) place(s, t, index int, r lifetime.Record) {
	offset := int64(v.plan.Offsets[index])
	if offset == rewrite.Online {
		v.online = append(v.online, r)
		return
	}
	use := Use{ID: r.ID, Name: r.Name, First: r.First, Last: r.Last, Start: offset, End: offset + r.Size}
	v.pinned = append(v.pinned, pinned{
		Use: use, subgraph: s, tensor: t, index: index, variable: v.model.Subgraphs[s].Tensors[t].Variable,
	})
	v.out.Pinned = append(v.out.Pinned, use)
	v.out.Head = max(v.out.Head, use.End)
}
