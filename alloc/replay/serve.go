package replay

import (
	"context"
	"fmt"

	"github.com/tflarena/tflarena/internal/deadline"
)

// Serve replays the trace with an allocator. A run begins with the trace and after each event in ends,
// which ascend. Blocks requested before the trace are left out. It returns errors of the allocator, and
// ctx.Err().
func (p *Profile) Serve(ctx context.Context, a *Allocator, ends []int) error {
	places := map[uint64]Place{}
	if err := a.Begin(ctx); err != nil {
		return err
	}
	for i := range p.Device.Events {
		if i%eventsPerPoll == 0 {
			if err := deadline.Err(ctx); err != nil {
				return err
			}
		}
		if err := a.serve(&p.Device.Events[i], places); err != nil {
			return err
		}
		if len(ends) > 0 && ends[0] <= i {
			ends = ends[1:]
			if err := a.Begin(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

func (a *Allocator) serve(e *Event, places map[uint64]Place) (err error) {
	switch e.Kind {
	case Interrupt:
		a.Interrupt()
	case Resume:
		a.Resume()
	case Free:
		place, known := places[e.Block]
		if !known {
			return nil
		}
		delete(places, e.Block)
		if err := a.Free(place); err != nil {
			return fmt.Errorf("fault in tflarena, please report it: %w", err)
		}
	case Alloc:
		if place, again := places[e.Block]; again {
			if err := a.Free(place); err != nil {
				return fmt.Errorf("fault in tflarena, please report it: %w", err)
			}
		}
		places[e.Block], err = a.Alloc(e.Size)
	}
	return err
}

// Ends returns the last events of iterations, for [Profile.Serve]. It accepts nil.
func (it *Iterations) Ends() []int {
	if it == nil {
		return nil
	}
	var ends []int
	if len(it.List) > 0 && it.List[0].First > 0 {
		ends = append(ends, it.List[0].First-1)
	}
	for _, s := range it.List {
		ends = append(ends, s.End-1)
	}
	return ends
}
