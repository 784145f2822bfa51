package shrink

import (
	"context"
	"errors"

	"github.com/tflarena/tflarena/alloc/inplace"
	"github.com/tflarena/tflarena/internal/embedded"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/pin"
	"github.com/tflarena/tflarena/rewrite/restore"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// errRefused is the reason for a proposal that the rewriter refuses.
var errRefused = errors.New("the rewriter refuses this")

// Search is a search for models that need less memory than one. It collects what it measures,
// whichever goal led to it.
type Search struct {
	*tuning
	proposers []proposer
	device    rules.Device
	force     bool
	// substitute permits rules that are exact on the device alone, noAssertions operators that abort in builds with
	// assertions.
	substitute, noAssertions bool
	report                   func(done, all int)
	own                      *tflite.Model
	// macs are the multiply-accumulates of start.
	macs   int64
	faults []rules.Fault
	// first is the unmodified model, start the model that all others are made of: without a broken
	// plan, and with the original operators of its tiled blocks.
	first   *Candidate
	start   *tflite.Model
	dropped *Candidate
	foreign string
	graphs  []*graph
	// seen are the keys of all proposals, queue holds those without a plan, and done those with one
	// that no other one dominates.
	seen        map[identity]bool
	queue, done []*proposal
	// lists counts the listings of each graph and level.
	lists map[listing]int
	// gaps are the heads of planned proposals as multiples of their lower bounds, by level.
	gaps map[rules.Alias][]float64
	// limits are the heads of plans that a tiled run limited, made in thorough rounds: with less effort, another plan
	// may be much better. Thorough rounds also plan large tiled runs in smaller parts.
	limits   map[tiledRun]int64
	thorough bool
	// memo remembers plans of parts of models.
	memo *inplace.Memo
	// estimates are the undominated tilings of the largest listing, by level.
	estimates map[rules.Alias][]Estimate
	// notCut is the reason why nothing can be tiled, notRestored the reason why tiles
	// of the unmodified model stay; "" without one.
	notCut, notRestored string
	// ended reports that the time of a search ended before it did, late that its first rounds did not meet the budgets.
	ended, late bool
	// unlimited and unbounded are the searches without a limit of the overhead, and without budgets; see otherwise.
	unlimited, unbounded detour
}

// newSearch measures the unmodified model, with its embedded plan if the runtime can follow it. Another
// tool's plan stays unless forced, and a broken plan is removed regardless of the head without it: the
// head with the broken plan may be impossible.
func newSearch(ctx context.Context, m *tflite.Model, g *Goal) (*Search, error) {
	if len(m.Subgraphs) == 0 {
		return nil, errors.New("the model has no subgraph")
	}
	s := &Search{
		tuning: g.tuning, proposers: g.proposers(),
		device: g.Device, force: g.Force, substitute: g.Substitute, noAssertions: g.NoAssertions, report: g.Progress, own: m, start: m, macs: op.RunMACs(m, 0), faults: g.Device.Rules().Faults(m),
		seen: map[identity]bool{}, lists: map[listing]int{}, estimates: map[rules.Alias][]Estimate{}, gaps: map[rules.Alias][]float64{},
		limits: map[tiledRun]int64{}, memo: inplace.NewMemo(),
	}
	if s.tuning == nil {
		s.tuning = standard()
	}
	ctx = context.WithoutCancel(ctx)
	carried, err := embedded.Follow(ctx, s.device, m, s.device.Kernels)
	if err != nil {
		return nil, err
	}
	s.first = s.candidate(m, int64(len(m.Data)), carried.Outcome)
	s.first.Name = "as it is"
	if kind, _ := carried.Trouble(m); kind != embedded.Broken {
		s.foreign = carried.Foreign(m)
		s.restore()
		return s, nil
	}
	r, err := rewrite.Remove(m, rewrite.Options{Force: s.force})
	if err != nil {
		return nil, err
	}
	if s.start, err = tflite.Parse(r.Data, m.Name); err != nil {
		return nil, err
	}
	o, err := pin.Follow(ctx, s.device.Rules(), s.start, nil, s.device.Requests(s.start))
	if err != nil {
		return nil, err
	}
	s.dropped = s.candidate(s.start, int64(len(r.Data)), o)
	s.dropped.Name, s.dropped.Data = withoutPlan, r.Data
	s.restore()
	return s, nil
}

// restore undoes the tiling of the model to begin with, so that its tiles do not limit the search. If
// that is impossible, they stay as they are.
func (s *Search) restore() {
	if s.stays() {
		return
	}
	m, err := restore.Model(s.start, rewrite.Options{Force: s.force})
	if err != nil {
		s.notRestored = "its original operators cannot be restored: " + err.Error()
		return
	}
	tiled := s.macs
	s.start, s.macs = m, op.RunMACs(m, 0)
	for _, c := range []*Candidate{s.first, s.dropped} {
		if c != nil {
			c.ExtraMACs, c.Overhead = tiled-s.macs, s.overhead(tiled-s.macs)
		}
	}
}

// withoutPlan is the name of the candidate without a broken plan.
const withoutPlan = "no plan"

// stays reports whether another tool's plan stays, so that nothing is tried.
func (s *Search) stays() bool { return s.foreign != "" && !s.force }
