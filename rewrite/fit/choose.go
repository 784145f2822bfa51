package fit

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"golang.org/x/exp/maps"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
)

// A built is a path with the model that it leads to.
type built struct {
	*point
	model *tflite.Model
	rung  *Rung
}

// A choice is the search for the cheapest path that meets the goal, on the files that paths
// lead to.
type choice struct {
	*fitter
	ctx  context.Context
	row  *row
	list []point // the cheapest first
	left int     // how many files may be built yet
}

// choosePoint returns the cheapest path that meets the goal, or the one of the smallest
// head; nil where none is better than what there is.
func (f *fitter) choosePoint(ctx context.Context, row *row, points []point) (*built, error) {
	c := &choice{fitter: f, ctx: ctx, row: row, list: f.promising(points), left: tries}
	look := c.within
	if f.least() {
		look = c.smallest
	}
	best, err := look()
	if refused := (*rewrite.RefusedError)(nil); errors.As(err, &refused) {
		f.report.Left = refused.Error()
		return nil, nil
	}
	if ctx.Err() != nil || err != nil {
		return best, err
	}
	if best != nil && (best.rung.Head >= f.best().Head || best.rung.Arena > f.best().Arena && !f.least()) {
		return nil, nil
	}
	return best, nil
}

// smallest builds paths by rising peaks, until no further one can have a smaller head.
func (c *choice) smallest() (best *built, err error) {
	limit := c.best().Head - 1
	for k := range c.list {
		if c.ctx.Err() != nil || c.left == 0 || c.list[k].peak > limit {
			break
		}
		c.left--
		m, err := c.build(k, limit)
		if err != nil {
			return best, err
		}
		if m == nil {
			continue
		}
		b, err := c.measured(k, m)
		if err != nil {
			return best, c.unlessInterrupted(err)
		}
		if b.rung.Head <= limit {
			best, limit = b, b.rung.Head-1
		}
	}
	return best, nil
}

// within looks for the cheapest path within the budget, first among few of all prices,
// then closer and closer below the cheapest found.
func (c *choice) within() (*built, error) {
	hopes := map[int]*tflite.Model{} // by place in the list
	cheapest := len(c.list)
	for stride := widest; stride > 0; stride /= 2 {
		for k := 0; k < cheapest && c.left > 0 && c.ctx.Err() == nil; {
			var places []int
			for ; k < cheapest && len(places) < min(together, c.left); k += stride {
				if stride == widest || k%(2*stride) != 0 { // the others were tried
					places = append(places, k)
				}
			}
			found, err := c.builds(places)
			if err != nil {
				return nil, err
			}
			for i, m := range found {
				if m != nil {
					hopes[places[i]], cheapest = m, places[i]
					break
				}
			}
		}
	}
	return c.first(hopes)
}

// builds builds paths at the same time.
func (c *choice) builds(places []int) ([]*tflite.Model, error) {
	found, errs := make([]*tflite.Model, len(places)), make([]error, len(places))
	var wait sync.WaitGroup
	for i, k := range places {
		wait.Go(func() { found[i], errs[i] = c.build(k, c.limit()) })
	}
	wait.Wait()
	c.left -= len(places)
	return found, errors.Join(errs...)
}

// first measures the models that may meet the goal, the cheapest first, and returns the
// first that does. Where none may, it is the path that comes closest.
func (c *choice) first(hopes map[int]*tflite.Model) (best *built, err error) {
	if len(hopes) == 0 && len(c.list) > 0 {
		k := c.closest(c.list)
		m, err := c.cut(k)
		if err != nil {
			return nil, err
		}
		hopes[k] = m
	}
	places := maps.Keys(hopes)
	slices.Sort(places)
	for _, k := range places {
		b, err := c.measured(k, hopes[k])
		if err != nil {
			return best, c.unlessInterrupted(err)
		}
		if best == nil || b.rung.Head < best.rung.Head {
			best = b
		}
		if c.goal.met(b.rung) {
			return b, nil
		}
	}
	return best, nil
}

// build returns the model that a path leads to, nil where it does not look as if it were
// within a limit of the head.
func (c *choice) build(k int, limit int64) (*tflite.Model, error) {
	m, err := c.cut(k)
	if err != nil || !c.mayMeet(c.ctx, m, limit) {
		return nil, err
	}
	return m, nil
}

func (c *choice) cut(k int) (*tflite.Model, error) {
	m, err := c.row.cut(&c.list[k], c.goal.Force)
	if err != nil {
		return nil, fmt.Errorf("cut %v: %w", c.list[k].stages(), err)
	}
	return m, nil
}

func (c *choice) measured(k int, m *tflite.Model) (*built, error) {
	r, err := c.measure(c.ctx, "patches", m, c.goal.Alias, c.goal.Head)
	if err != nil {
		return nil, err
	}
	return &built{&c.list[k], m, r}, nil
}

// unlessInterrupted returns an error that is not the end of the context.
func (c *choice) unlessInterrupted(err error) error {
	if c.ctx.Err() != nil {
		return nil
	}
	return err
}

// limit returns the head that is looked for.
func (f *fitter) limit() int64 {
	if g := f.goal; g.Head == 0 || g.Arena > 0 && g.Arena < g.Head {
		return g.Arena
	}
	return f.goal.Head
}
