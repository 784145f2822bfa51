package app

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"time"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/stream/litert"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/shrink"
	"github.com/tflarena/tflarena/tflite"
)

// inTiles plans a model with its layers in slices, and if [StreamOptions.Tile] is set, also with tiled activations: these are
// smaller, so that more weights stay in memory, and take more multiply-accumulates. Of the models whose run is at most one
// percent slower than the fastest one, inTiles takes the one with the fewest additional multiply-accumulates. When ctx ends, it
// returns the best plan so far. Without any plan, it returns the result with the lowest least budget.
func (o StreamOptions) inTiles(ctx context.Context, m *tflite.Model, plan planner) (*Streamed, error) {
	own, err := o.inSlices(ctx, m, plan)
	if err != nil || !o.Tile {
		return own, err
	}
	tilings, err := o.tilings(ctx, m, plan)
	if err != nil {
		return own, ignored(ctx, err)
	}
	tried := []tiling{{result: own}}
	fastest := own.latency()
	for _, t := range tilings {
		if fastest < math.MaxInt64 && fastest <= longer(t.bound) || ctx.Err() != nil {
			break
		}
		if t.result, err = t.options.inSlices(ctx, t.model, plan); err != nil {
			if err = ignored(ctx, err); err != nil {
				return nil, err
			}
			break
		}
		t.result.Notes = append(t.result.Notes, t.note)
		tried, fastest = append(tried, t), min(fastest, t.result.latency())
	}
	slices.SortStableFunc(tried, func(a, b tiling) int {
		if fastest == math.MaxInt64 {
			return cmp.Compare(a.result.LeastBudgetBytes, b.result.LeastBudgetBytes)
		}
		slow := func(t tiling) int64 { return int64(max(t.result.latency(), longer(fastest)) - longer(fastest)) }
		return cmp.Or(cmp.Compare(slow(a), slow(b)), cmp.Compare(a.macs, b.macs))
	})
	return tried[0].result, nil
}

// A tiling is a model with tiled activations and its plan, nil until it is made.
type tiling struct {
	model   *tflite.Model
	options StreamOptions
	// macs are the additional multiply-accumulates.
	macs int64
	note results.Note
	// bound is a lower bound of the time of a run, or an estimate of it.
	bound  time.Duration
	result *Streamed
}

// tilings returns models that compute the same as a model with smaller activations, those with the fastest runs first,
// as far as bounds tell. As in LiteRT, no output shares the memory of an input.
func (o StreamOptions) tilings(ctx context.Context, m *tflite.Model, plan planner) ([]tiling, error) {
	s, err := shrink.Frontier(ctx, m, shrink.Goal{Alias: rules.NoAlias, MaxOverhead: -1, Device: rules.DefaultDevice(), Rounds: 1, Force: true})
	if err != nil || len(s.Levels) == 0 {
		return nil, err
	}
	var list []tiling
	for _, p := range s.Levels[0].Points {
		if len(p.Stages) == 0 {
			continue
		}
		t := tiling{options: o, macs: p.ExtraMACs, note: tilingNote(&p, s.OwnMACs)}
		if t.model, err = tflite.Parse(p.Data, m.Name); err != nil {
			return nil, err
		}
		if o.Rates.Compute != nil {
			t.options.Rates.Compute = litert.TiledTimes(m, t.model, o.Rates.Compute)
		}
		quick := t.options
		quick.Quick = true
		r, err := quick.inSlices(ctx, t.model, plan)
		if err != nil {
			return nil, err
		}
		if t.bound = math.MaxInt64; r.Plan != nil {
			t.bound = r.Plan.LowerBound
		}
		list = append(list, t)
	}
	slices.SortStableFunc(list, func(a, b tiling) int { return cmp.Compare(a.bound, b.bound) })
	return list, nil
}

func tilingNote(p *shrink.Point, macs int64) results.Note {
	tiled := 0
	for _, s := range p.Stages {
		tiled += s.Last - s.First + 1
	}
	text := fmt.Sprintf("operators with tiled activations: %d, for %s more multiply-accumulates", tiled, units.Percent(p.ExtraMACs, macs))
	return results.Note{Kind: results.NoteTiled, Text: text}
}

// ignored returns an error, or nil if ctx has ended: the best result so far counts then.
func ignored(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}
