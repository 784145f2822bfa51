package pin

import (
	"context"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/deadline"
)

// maxPrune is the maximum number of pins tested for necessity; each test runs the planner.
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

// prune drops pins that are not needed, later tensors first: many at once where that is possible, so that
// a few needed ones do not cost a plan for each of the others.
func (c *chooser) prune(ctx context.Context, kept pins, head int64) (pins, error) {
	if len(kept) > maxPrune {
		return kept, nil
	}
	var list []int
	for i := c.tensors - 1; i >= 0; i-- {
		if _, ok := kept[i]; ok && !c.shared(i) {
			list = append(list, i)
		}
	}
	return kept, c.drop(ctx, kept, list, head)
}

// drop takes those pins of a list out that are not needed for a head.
func (c *chooser) drop(ctx context.Context, kept pins, list []int, head int64) error {
	if len(list) == 0 || deadline.Err(ctx) != nil {
		return nil
	}
	offsets := make([]int64, len(list))
	for k, i := range list {
		offsets[k] = kept[i]
		delete(kept, i)
	}
	without, err := c.head(context.WithoutCancel(ctx), kept)
	if err != nil || without <= head {
		return err
	}
	for k, i := range list {
		kept[i] = offsets[k]
	}
	if len(list) == 1 {
		return nil
	}
	half := len(list) / 2
	if err := c.drop(ctx, kept, list[:half], head); err != nil {
		return err
	}
	return c.drop(ctx, kept, list[half:], head)
}
