package app

import (
	"context"
	"errors"
	"time"

	"github.com/tflarena/tflarena/alloc/stream"
	"github.com/tflarena/tflarena/alloc/stream/litert"
	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/internal/deadline"
	"github.com/tflarena/tflarena/internal/results"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// StreamOptions configure the plan of a network whose weights are loaded while it runs.
type StreamOptions struct {
	stream.Options
	// Budget is in bytes. ForLatency looks for the least one in which a run takes at most Latency.
	Budget     int64
	ForLatency bool
	Latency    time.Duration
	// Slice is the size in bytes above which the weights of a layer are cut. 0 chooses it if no plan has the
	// layers whole; Faster also chooses it if runs in slices are faster.
	Slice  int64
	Faster bool
	// Tile permits tiled activations.
	Tile  bool
	Rates litert.Rates
	// Scratch returns the scratch that kernels request for a model, or is nil if it is not counted. Whole keeps layers
	// whole, if no scratch is known for slices.
	Scratch func(*tflite.Model) []rules.Request
	Whole   bool
}

// Streamable reports whether a model has weights that "stream" can prefetch, and few enough operators for a sweep without a
// time limit.
func Streamable(m *tflite.Model) bool {
	const most = 500 // a sweep of 2,000 takes more than ten minutes
	net, err := litert.Layers(m, litert.Rates{MACs: 1e9, Bytes: 1e9}, nil)
	return err == nil && net.WeightBytes() > 0 && len(net.Layers) <= most
}

// A Streamed is a plan of a network.
type Streamed struct {
	*results.Stream
	Network *network.Network
	// Model is the planned model: the original with its layers in slices and its activations tiled.
	Model *tflite.Model
	// Plan is nil where there is none, and None is the reason.
	Plan *stream.Plan
	None error
	// Files are the segments of the model, nil if it stays one file.
	Files *litert.SegmentPlan
}

// Page returns the plan for a page, with the operators of the model if they are the layers.
func (r *Streamed) Page() *results.Report {
	if r.Files != nil {
		return r.Report(nil)
	}
	return r.Report(r.Model)
}

// StreamModel is [Stream] for a model, whose layers it cuts, and whose activations it tiles, as the options say. The errors are those of
// [StreamOptions.Layers], [Stream] and [litert.Slice].
func StreamModel(ctx context.Context, m *tflite.Model, times string, o StreamOptions) (*Streamed, error) {
	return o.inTiles(ctx, m, func(ctx context.Context, m *tflite.Model, o *StreamOptions) (*Streamed, error) {
		net, err := o.Layers(m)
		if err != nil {
			return nil, err
		}
		r, err := Stream(ctx, m.Name, times, net, *o)
		if err == nil {
			r.Model = m
		}
		return r, err
	})
}

// Layers returns a model as a network, with the scratch of its kernels if that is counted. The error is an [*InputError].
func (o *StreamOptions) Layers(m *tflite.Model) (*network.Network, error) {
	var requests []rules.Request
	if o.Scratch != nil {
		requests = o.Scratch(m)
	}
	net, err := litert.Layers(m, o.Rates, requests)
	if err != nil {
		return nil, &InputError{err}
	}
	return net, nil
}

// Stream plans a network in a budget or for a latency. When ctx ends, it returns the best so far. Times
// is the name of the times in the result.
func Stream(ctx context.Context, input, times string, net *network.Network, o StreamOptions) (*Streamed, error) {
	part, cancel := deadline.Share(ctx, 4)
	least, err := stream.Least(part, net)
	if cancel(); err != nil {
		return nil, err
	}
	var plan *stream.Plan
	var bytes int64
	if o.ForLatency {
		plan, bytes, err = stream.WithinLatency(ctx, net, o.Latency, o.Options)
		if plan != nil {
			o.Budget = plan.Peak
		}
	} else {
		plan, err = stream.Solve(ctx, net, o.Budget, o.Options)
	}
	if err != nil && !noStreamPlan(err) {
		return nil, err
	}
	r := streamed(input, times, net, o.Budget, least, plan)
	r.None = err
	if o.ForLatency {
		r.AskedFor(o.Latency, bytes)
	}
	return r, nil
}

// streamed returns a plan of a network, which may be nil, as a result.
func streamed(input, times string, net *network.Network, budget int64, least *stream.LeastBudget, plan *stream.Plan) *Streamed {
	r := results.NewStream(input, times, net, budget, least, plan)
	if plan != nil {
		r.PeakBoundBytes = stream.PeakBound(net, plan)
	}
	return &Streamed{Stream: r, Network: net, Plan: plan}
}

// StreamSegments cuts a model into segments that LiteRT runs one after another, and plans them in a
// budget. Delegate runs them with LiteRT's default delegate. Layers are cut and activations tiled as the options say.
func StreamSegments(ctx context.Context, m *tflite.Model, times string, delegate bool, o StreamOptions) (*Streamed, error) {
	return o.inTiles(ctx, m, func(ctx context.Context, m *tflite.Model, o *StreamOptions) (*Streamed, error) {
		return streamSegments(ctx, m, times, delegate, o)
	})
}

func streamSegments(ctx context.Context, m *tflite.Model, times string, delegate bool, o *StreamOptions) (*Streamed, error) {
	plan, err := litert.PlanSegments(ctx, m, o.Rates, o.Budget, delegate, o.Options)
	if err != nil && !noStreamPlan(err) {
		return nil, err
	}
	r := segmented(times, o.Budget, plan)
	r.None = err
	return r, nil
}

// segmented returns a plan of segments as a result.
func segmented(times string, budget int64, plan *litert.SegmentPlan) *Streamed {
	r := results.NewStream(plan.Model.Name, times, plan.Network, budget, plan.Least, plan.Stream)
	if plan.Stream != nil {
		r.ReadBoundBytes = 0      // other cuts may read less
		r.PeakBytes = plan.Held() // LiteRT chooses addresses, so that the plan's are meaningless
		r.Segments = len(plan.Segments)
		how := "without a delegate"
		if plan.Delegate {
			how = "with its default delegate, which keeps weights in packed form, too"
		}
		r.Notes = append(r.Notes, results.Note{Kind: results.NoteEstimated, Text: "the budget counts what LiteRT 2.3.0 needs at most with one thread and " + how + "; the process also takes memory before it runs a model, which is not counted"})
	}
	return &Streamed{Stream: r, Network: plan.Network, Model: plan.Model, Plan: plan.Stream, Files: plan}
}

// noStreamPlan reports whether an error states that no plan exists.
func noStreamPlan(err error) bool {
	infeasible, none, unreachable := (*stream.InfeasibleError)(nil), (*stream.NoPlanError)(nil), (*stream.UnreachableError)(nil)
	return errors.As(err, &infeasible) || errors.As(err, &none) || errors.As(err, &unreachable)
}
