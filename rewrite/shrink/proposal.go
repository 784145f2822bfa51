package shrink

import (
	"context"
	"crypto/sha256"
	"fmt"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/blocks"
	"github.com/tflarena/tflarena/rewrite/pin"
	"github.com/tflarena/tflarena/rewrite/shrink/internal/parts"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/tflite"
)

// fidelity is how much is known of a proposal. It rises with the work spent on it.
type fidelity int

const (
	estimated fidelity = iota // its cost is the sum of its parts
	built                     // the file was made: the cost is right but for the head, a lower bound
	planned                   // a plan was found
)

// proposal is a model that may become a candidate.
type proposal struct {
	graph *graph
	alias rules.Alias
	path  parts.Path
	// orders are the orders of the operators of the tiled model, found in a search of states, nil for
	// that of the tiles; moved is the number of operators that are elsewhere.
	orders        [][]int
	moved, states int
	known         fidelity
	// rounds is the number of rounds whose work was spent on its plan.
	rounds int
	// hope is the least cost that the proposal may have, and likely the cost that it probably has.
	// guess is the same with the usual distance of plans from their lower bounds, or what limited other plans.
	hope, likely, guess Cost
	// bound is the cost with the lower bound of the head, once it is built. failed is the largest effort
	// without a plan that comes up to the hope of its time, which was lowered then.
	bound  Cost
	failed float64
	// limit is the head of plans of other models that one of the same tiled runs limited, zero for none.
	limit int64
	// model and view are the built model, without a plan.
	model *tflite.Model
	view  *rules.View
	// best is the candidate with the best plan found, without its file, nil before; offsets are that plan.
	best    *Candidate
	offsets []int32
	// expanded reports that its neighbours were proposed, sorted that other orders were searched.
	expanded, sorted bool
}

// identity identifies a proposal among the many of a search.
type identity [sha256.Size]byte

// key returns the identity of a graph with tiled stages at a level, in an order found with so many states.
func key(g *graph, a rules.Alias, states int, stages []split.Stage) identity {
	return sha256.Sum256(fmt.Append(nil, g.moved, g.removed(), g.substituted(), g.separated(), states, a, stagesAt(stages, a)))
}

func (p *proposal) key() identity { return key(p.graph, p.alias, p.states, p.path.Stages) }

// estimate sets the cost to hope for from the parts.
func (s *Search) estimate(p *proposal) {
	c := p.path.Cost
	p.hope = Cost{ExtraMACs: c.MACs, Overhead: s.overhead(c.MACs)}
	p.hope.Head, p.hope.Tail, p.hope.Required = c.Peak, p.graph.tail+c.Tail, p.graph.required(c)
	p.likely = p.hope
	if len(p.path.Stages) > 0 {
		p.hope.loosen(s.slack)
	}
	s.limit(p)
}

// overhead returns multiply-accumulates as a fraction of the original model's.
func (s *Search) overhead(macs int64) float64 { return float64(macs) / float64(max(s.macs, 1)) }

// build makes the model of a proposal and bounds its cost.
func (s *Search) build(p *proposal) error {
	if err := s.make(p); err != nil {
		return err
	}
	return s.bind(p)
}

// make makes the model of a proposal, unless it is there.
func (s *Search) make(p *proposal) (err error) {
	switch {
	case p.model != nil:
		return nil
	case len(p.path.Stages) == 0 && p.orders == nil:
		p.model, p.view = p.graph.model, p.graph.view
		return nil
	}
	m := p.graph.model
	if len(p.path.Stages) > 0 {
		e, err := s.row(p.graph, p.alias).Edit(p.path.Stages)
		if err != nil {
			return err
		}
		if m, err = s.apply(m, e); err != nil {
			return err
		}
	}
	if m != nil && p.orders != nil {
		m, err = s.reordered(m, p.orders)
	}
	if err == nil && m == nil {
		err = errRefused
	}
	if err != nil {
		return err
	}
	p.model = m
	p.view, err = s.device.Rules().View(m, -1)
	return err
}

// bind bounds the cost of a proposal whose model was made.
func (s *Search) bind(p *proposal) error {
	c, err := s.measure(p, int64(len(p.model.Data)), nil)
	if err != nil {
		return err
	}
	bound := min(pin.Bound(p.view, s.device.Requests(p.model), p.alias), c.Head)
	p.hope = c.Cost
	p.hope.Required, p.hope.Head = c.Required-(c.Head-bound), bound
	p.bound, p.likely, p.known = p.hope, p.hope, built
	if p.sortable() {
		p.hope.loosen(s.slack)
	}
	return nil
}

// loosen lowers a hope to a part of the head.
func (c *Cost) loosen(slack float64) {
	head := int64(slack * float64(c.Head))
	c.Required -= c.Head - head
	c.Head = head
}

// target returns the largest head, in bytes, with which a built proposal would be better than a cost,
// zero if there is none.
func (p *proposal) target(g *Goal, than *Cost) int64 {
	with := func(head int64) bool {
		c := p.hope
		c.Head, c.Required = head, c.Required+head-c.Head
		return g.Compare(&c, than) < 0
	}
	low, high := p.hope.Head/parts.Align, than.Head/parts.Align+than.Required/parts.Align
	if !with(low * parts.Align) {
		return 0
	}
	for low+1 < high {
		if middle := low + (high-low)/2; with(middle * parts.Align) {
			low = middle
		} else {
			high = middle
		}
	}
	return low * parts.Align
}

// beat searches for a plan with which a built proposal is better than a cost, and then for the best
// plan. Without such a plan, it lowers the hope.
func (s *Search) beat(ctx context.Context, p *proposal, g *Goal, than *Cost, effort float64) error {
	if err := s.make(p); err != nil {
		return err
	}
	target := p.target(g, than)
	choice, err := pin.Choose(ctx, p.view, pin.Options{
		Mode: pin.All, Scratch: s.device.Requests(p.model), Alias: p.alias, Effort: effort, Limit: target, Memo: s.memo,
	})
	if err != nil {
		return err
	}
	if choice.Head > target {
		p.hope.Required += target + parts.Align - p.hope.Head
		p.hope.Head = target + parts.Align
		p.likely, p.failed = p.hope, effort
		return nil
	}
	if err := s.keep(p, choice); err != nil || p.alias != rules.NoAlias {
		return err
	}
	return s.plan(ctx, p, effort) // which is quick
}

// plan searches for a plan of a built proposal, and keeps it if it is the best.
func (s *Search) plan(ctx context.Context, p *proposal, effort float64) error {
	if err := s.make(p); err != nil {
		return err
	}
	mode := pin.All
	if effort > s.rounds[surveyed].effort && len(p.view.Records()) <= large {
		mode = pin.Peak // finding unnecessary pins takes long
	}
	choice, err := pin.Choose(ctx, p.view, pin.Options{
		Mode: mode, Scratch: s.device.Requests(p.model), Alias: p.alias, Effort: effort, Finer: s.thorough, Memo: s.memo,
	})
	if err != nil {
		return err
	}
	return s.keep(p, choice)
}

// keep embeds a plan in the model of a proposal, and keeps the candidate if it is the best.
func (s *Search) keep(p *proposal, choice *pin.Choice) error {
	size := int64(len(p.model.Data))
	if choice.Offsets != nil {
		var err error
		if size, err = rewrite.EmbeddedSize(p.model, choice.Offsets, s.embedding(p, len(choice.Overlaps))); err != nil {
			return err
		}
	}
	c, err := s.measure(p, size, choice.Offsets)
	if err != nil {
		return err
	}
	c.Takeovers, c.Overlaps = len(choice.Taken), len(choice.Overlaps)
	if p.best == nil || c.Required < p.best.Required || c.Required == p.best.Required && c.Head <= p.best.Head {
		p.best, p.offsets = c, choice.Offsets
	}
	return nil
}

// embed returns the file of a built proposal with a plan, nil for none.
func (s *Search) embed(p *proposal, offsets []int32, overlaps int) ([]byte, error) {
	if offsets == nil {
		return p.model.Data, nil
	}
	r, err := rewrite.Embed(p.model, offsets, s.embedding(p, overlaps))
	if err != nil {
		return nil, err
	}
	return r.Data, nil
}

// embedding returns the options for embedding a plan with some overlaps in the model of a proposal.
func (s *Search) embedding(p *proposal, overlaps int) rewrite.Options {
	o := rewrite.Options{Force: s.force}
	if overlaps > 0 {
		o.Marker = rewrite.OverlapMarker(string(p.alias), s.device.Kernels)
	}
	return o
}

// written returns the best candidate of a proposal with its file and its name. The search keeps no files,
// because it has hundreds of candidates.
func (s *Search) written(p *proposal) (*Candidate, error) {
	if err := s.make(p); err != nil {
		return nil, err
	}
	c := *p.best
	c.Name = p.step()
	var err error
	c.Data, err = s.embed(p, p.offsets, c.Overlaps)
	return &c, err
}

// large is the number of planned tensors from which planning a file takes about a second.
const large = 1000

// measure returns the candidate of a proposal's model under a plan, for the size of its file in bytes.
func (s *Search) measure(p *proposal, fileBytes int64, offsets []int32) (*Candidate, error) {
	m, d := p.model, s.device
	o, err := pin.Follow(context.Background(), d.Rules(), m, offsets, d.Requests(m))
	if err != nil {
		return nil, err
	}
	c := s.candidate(m, fileBytes, o)
	c.Alias, c.Stages, c.Moved, c.Removed = p.alias, p.path.Stages, p.graph.moved+p.moved, p.graph.removed()
	c.Rules = p.graph.rules
	c.ExtraMACs, c.Overhead = p.path.Cost.MACs, s.overhead(p.path.Cost.MACs)
	c.limiting = limiting(o, blocks.Of(m), len(c.Stages))
	return c, nil
}

// candidate returns a model as a candidate without its file, for an outcome of the runtime.
func (s *Search) candidate(m *tflite.Model, fileBytes int64, o *pin.Outcome) *Candidate {
	return &Candidate{
		Cost: Cost{
			Figures: o.Arena(s.device).Figures, Operators: len(m.Subgraphs[0].Operators), FileBytes: fileBytes, record: blocks.Size(m),
		},
		Alias: rules.NoAlias,
		wrong: len(rules.Overwritten(m)) > 0 || len(rules.Introduced(s.faults, s.device.Rules().Faults(m))) > 0,
	}
}

// stagesAt returns stages with another level of in-place outputs.
func stagesAt(list []split.Stage, a rules.Alias) []split.Stage {
	out := make([]split.Stage, len(list))
	for i, s := range list {
		s.Alias = a
		out[i] = s
	}
	return out
}
