package pin

import (
	"context"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/deadline"
)

// maxPrune bounds the pins that are tried one by one for whether they are needed;
// each try is a run of the planner.
const maxPrune = 400

// reduce returns pins, a subset of those of best, around which the runtime still
// reaches the head of best.
//
// It begins with none but those of tensors that share memory and, as long as the runtime puts something above the wanted
// head, fixes the tensors alive together with that. Then it drops every pin that
// turns out not to be needed.
func (c *chooser) reduce(ctx context.Context, best candidate) (pins, error) {
	kept := pins{}
	for i, offset := range best.pins {
		if c.shared(i) {
			kept[i] = offset
		}
	}
	for {
		if ctx.Err() != nil {
			return best.pins, nil
		}
		plan, err := c.simulate(context.WithoutCancel(ctx), kept)
		if err != nil {
			return nil, err
		}
		if plan.Total <= best.head {
			break
		}
		if !c.fixNeighbours(plan, best, kept) {
			return best.pins, nil
		}
	}
	return c.prune(ctx, kept, best.head)
}

// fixNeighbours fixes what is alive together with anything that the plan puts above
// the wanted head. It reports whether that fixed anything new.
func (c *chooser) fixNeighbours(plan *alloc.Plan, best candidate, kept pins) bool {
	before := len(kept)
	for i, r := range c.records {
		if plan.Offsets[i]+r.Size <= best.head {
			continue
		}
		for j := range c.records[:c.tensors] {
			offset, can := best.pins[j]
			if can && r.Overlaps(c.records[j]) {
				kept[j] = offset
			}
		}
	}
	return len(kept) > before
}

// prune drops pins that are not needed, later tensors first.
func (c *chooser) prune(ctx context.Context, kept pins, head int64) (pins, error) {
	if len(kept) > maxPrune {
		return kept, nil
	}
	for i := c.tensors - 1; i >= 0 && deadline.Err(ctx) == nil; i-- {
		offset, ok := kept[i]
		if !ok || c.shared(i) {
			continue
		}
		delete(kept, i)
		without, err := c.head(context.WithoutCancel(ctx), kept)
		if err != nil {
			return nil, err
		}
		if without > head {
			kept[i] = offset
		}
	}
	return kept, nil
}
