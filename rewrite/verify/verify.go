package verify

import (
	"errors"
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/blocks"
	"github.com/tflarena/tflarena/tflite"
)

// Plan judges the memory plan of m by what the file alone says: it derives usage intervals
// and sizes anew, and uses no code of any strategy. An error means that there is no
// verdict; it is [lifetime.ErrTooLarge] when subgraphs call each other too often to be
// followed.
//
// Kernel scratch is not in the file. The runtime places it around the plan, so scratch can
// raise the head but do no harm, except to variables ([LawVariable]).
//
// A plan is judged for the kernels that its marker names, or, without one, for the reference
// kernels.
func Plan(m *tflite.Model) (*Report, error) { return PlanFor(m, "") }

// PlanFor is [Plan] for the kernels of a library. It is a failure ([LawMarker]) where the marker
// names others. An empty name stands for those of the marker.
func PlanFor(m *tflite.Model, kernels string) (*Report, error) {
	v := &verifier{model: m, kernels: kernels, out: &Report{}}
	usable := v.entries()
	v.marker()
	v.behindMarker = len(v.out.Findings)
	v.blocks()
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

// A verifier is one run of Plan. Its plan is the plan in effect, and is set where it
// has as many offsets as there are tensors.
type verifier struct {
	model *tflite.Model
	// kernels are those for which the plan is judged.
	kernels string
	out     *Report
	plan    *rewrite.Plan
	view    *rules.View
	pinned  []pinned
	online  []lifetime.Record
	// first is the index in the plan of each subgraph's first tensor.
	first []int
	// takeovers says which tensors may lie where another lies; see takesOver.
	takeovers map[takeover]string
	// least is the least --alias that permits each of them.
	least map[takeover]rules.Alias
	// remaining are the records with the gaps of what is read slice by slice; see spent.
	remaining map[lifetime.Place]lifetime.Record
	// overlaps are the outputs that may lie over an input, by input and output; see overlap.
	// measured are those of them whose kernels were run to see whether they are right.
	overlaps, measured map[[2]lifetime.Place]*lifetime.Overlap
	// highest is the pair that needs the highest --alias of all that share memory on purpose.
	highest sharing
	// behindMarker is where in the findings those of the laws behind LawMarker begin.
	behindMarker int
}

// A pinned is a tensor that the plan places.
type pinned struct {
	Use
	subgraph, tensor int
	index            int // in the plan
	variable         bool
	// scratch and content are set by markScratch.
	scratch bool
	content int
}

// report adds a finding about a tensor of the plan, given by its index there.
func (v *verifier) report(law Law, s Severity, index int, tensors []Use, text string, args ...any) {
	v.out.Findings = append(v.out.Findings, Finding{
		Law: law, Severity: s, Message: fmt.Sprintf(text, args...), Tensors: tensors,
		Path: fmt.Sprintf("buffers[%d].data", v.plan.Buffer), Offset: v.plan.Position(index),
	})
}

// entries checks every plan on its own, since the runtime reads them all, and says
// whether the last can be followed.
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

// blocks notes a record of tiled blocks that does not describe the model.
func (v *verifier) blocks() {
	_, err := blocks.Read(v.model)
	if bad := (*blocks.Error)(nil); errors.As(err, &bad) {
		v.out.Findings = append(v.out.Findings, Finding{
			Law: LawBlocks, Severity: Note, Path: fmt.Sprintf("metadata[%d]", bad.Entry), Message: err.Error(),
		})
	}
}

// countAt is where in a plan the number of its offsets is.
const countAt = 8

// tensors returns how many tensors all subgraphs have, which is what a plan counts.
func (v *verifier) tensors() (n int) {
	for i := range v.model.Subgraphs {
		n += len(v.model.Subgraphs[i].Tensors)
	}
	return n
}

// single reports plans that differ from the one in effect, and copies of it.
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

// differing returns the first plan whose offsets are not those of the last, or nil.
// Plans that share their bytes are compared once: a file may have any number.
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

// derive finds the usage records of the runtime, in which variables with an offset
// are tensors like others.
func (v *verifier) derive() (err error) {
	r := rules.Micro()
	r.Kernels = v.kernels
	if v.view, err = r.View(v.activated(), -1); err != nil {
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

// activated returns the model as the runtime plans it: with an offset, a variable
// is an activation.
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

// place sorts a record among the pinned or the online ones.
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
