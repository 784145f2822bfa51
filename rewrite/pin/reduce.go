package pin

import (
	"context"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/deadline"
)

// maxPrune is the maximum number of pins tested one by one for necessity; each test runs the
// planner.
const maxPrune = 400

// reduce returns a subset of best's pins around which the runtime still reaches best's head.
//
// It starts with the pins of tensors that share memory. While the runtime places anything above
// the target head, it fixes the tensors live at the same time. Then it drops every pin that is
// not needed.
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

// fixNeighbours fixes the tensors live together with anything that the plan places above the
// target head. It reports whether it added a pin.
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
