package export

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
)

// A traceEvent is an event of Chrome's JSON trace format. Times are in microseconds.
type traceEvent struct {
	Name     string  `json:"name"`
	Phase    string  `json:"ph"`
	Process  int     `json:"pid"`
	Thread   int     `json:"tid"`
	Time     float64 `json:"ts"`
	Duration float64 `json:"dur,omitempty"`
	Args     any     `json:"args,omitempty"`
}

// Phases of events: complete event, counter, and metadata (the name of a track).
const (
	traceSlice   = "X"
	traceCounter = "C"
	traceName    = "M"
)

// traceTensor is shown in a trace viewer for the selected tensor.
type traceTensor struct {
	ID      string `json:"id"`
	Name    string `json:"name,omitempty"`
	Role    string `json:"role,omitempty"`
	Offset  int64  `json:"offset_bytes"`
	Size    int64  `json:"size_bytes"`
	FirstOp int    `json:"first_op"`
	LastOp  int    `json:"last_op"`
}

// traceStep is the duration of a position in a trace: a millisecond. Plans have no real time.
const traceStep = 1000

// traceLanes is the track of the first tensors; operators have their own track.
const traceOperators, traceLanes = 1, 2

// writeTrace writes the plan in Chrome's JSON trace format, for Perfetto and chrome://tracing: each
// position is a millisecond, each tensor a slice, the live bytes a counter. Slices of one track may not
// overlap, so that tensors that are alive together are on several tracks; of tensors that begin
// together, the one with the lowest offset is on the first.
func writeTrace(w io.Writer, p *Plan) error {
	q, err := p.inOffsets()
	if err != nil {
		return err
	}
	t := tracer{p: q}
	for _, r := range p.Records {
		t.base, t.end = min(t.base, r.First), max(t.end, r.Last+1)
	}
	t.name("process_name", 0, cmp.Or(p.Title, p.Name))
	t.operators()
	t.counters()
	t.tensors()
	data, err := json.MarshalIndent(map[string]any{
		"displayTimeUnit": "ms",
		"otherData":       map[string]any{"total_bytes": q.Places.Total, "lower_bound_bytes": p.Places.LowerBound},
		"traceEvents":     t.events,
	}, "", " ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(data, '\n'))
	return err
}

// A tracer collects events.
type tracer struct {
	p         *Plan
	base, end int // the first position, and the one after the last
	events    []traceEvent
}

func (t *tracer) add(e traceEvent) {
	e.Process = 1
	t.events = append(t.events, e)
}

func (t *tracer) name(kind string, thread int, name string) {
	t.add(traceEvent{Name: kind, Phase: traceName, Thread: thread, Args: map[string]string{"name": name}})
}

// time returns the time of a position. Positions of problems may be so far apart that their difference
// overflows int; then two of them may have the same time.
func (t *tracer) time(position int) float64 {
	return float64(uint64(position)-uint64(t.base)) * traceStep
}

// operators adds a slice for each position of a model.
func (t *tracer) operators() {
	if t.p.Model == nil {
		return
	}
	t.name("thread_name", traceOperators, "operators")
	for i, step := range t.p.Model.Steps {
		t.add(traceEvent{Name: step, Phase: traceSlice, Thread: traceOperators, Time: t.time(i), Duration: traceStep, Args: map[string]int{"position": i}})
	}
}

// counters adds the live bytes over time, and the total of the plan.
func (t *tracer) counters() {
	set := func(name string, position int, bytes int64) {
		t.add(traceEvent{Name: name, Phase: traceCounter, Time: t.time(position), Args: map[string]int64{"bytes": bytes}})
	}
	at := t.base
	for _, s := range lifetime.Sections(t.p.Records) {
		if s.First > at {
			set("bytes alive", at, 0)
		}
		set("bytes alive", s.First, s.Breadth)
		at = s.Last + 1
	}
	set("bytes alive", at, 0)
	set("total of the plan", t.base, t.p.Places.Total)
	set("total of the plan", t.end, t.p.Places.Total)
}

// tensors adds a slice for each tensor and the bytes it holds at a time.
func (t *tracer) tensors() {
	order := make([]int, len(t.p.Records))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(t.p.Records[a].First, t.p.Records[b].First), cmp.Compare(t.p.Places.Offsets[a], t.p.Places.Offsets[b]))
	})
	var lanes []int // end of the last tensor of each track
	for _, i := range order {
		r := t.p.Records[i]
		n := slices.IndexFunc(lanes, func(last int) bool { return last < r.First })
		if n < 0 {
			n, lanes = len(lanes), append(lanes, 0)
			t.name("thread_name", traceLanes+n, fmt.Sprint("memory ", n+1))
		}
		lanes[n] = r.Last
		t.tensor(i, traceLanes+n)
	}
}

func (t *tracer) tensor(i, thread int) {
	r := t.p.Records[i]
	args := traceTensor{ID: r.ID, Name: r.Name, Offset: t.p.Places.Offsets[i], Size: r.Size, FirstOp: r.First, LastOp: r.Last}
	if t.p.Model != nil {
		args.Role = string(t.p.Model.Roles[i])
	}
	name := r.ID
	if r.Name != "" {
		name += " " + r.Name
	}
	for piece := range r.Pieces {
		t.add(traceEvent{Name: name, Phase: traceSlice, Thread: thread, Time: t.time(piece.First), Duration: t.time(piece.Last+1) - t.time(piece.First), Args: args})
	}
}
