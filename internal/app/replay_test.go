package app_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/replay"
	"github.com/tflarena/tflarena/alloc/replay/trace"
	"github.com/tflarena/tflarena/internal/app"
)

// recorded is a trace of iterations on two devices: each requests three blocks, and releases them.
func recorded(t *testing.T, iterations int) *trace.File {
	t.Helper()
	var b strings.Builder
	b.WriteString("event,id,size,device\n")
	for i := range iterations {
		for device := range 2 {
			id := func(k int) string { return fmt.Sprintf("d%di%dk%d", device, i, k) }
			fmt.Fprintf(&b, "alloc,%s,%d,%d\nalloc,%s,300,%d\nfree,%s,,%d\nalloc,%s,50,%d\nfree,%s,,%d\nfree,%s,,%d\n",
				id(0), 100*(device+1), device, id(1), device, id(0), device, id(2), device, id(1), device, id(2), device)
		}
	}
	f, err := trace.Read([]byte(b.String()), func(int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Each device has a plan, which is not below its bound nor below what was in use, and allocators that
// know less than the plan.
func TestReplay(t *testing.T) {
	f := recorded(t, 5)
	o := app.ReplayOptions{Options: replay.Options{Solve: alloc.Options{SearchTime: time.Second}}, Iterations: true}
	r, err := app.Replay(t.Context(), "trace", f, o)
	if err != nil || len(r.Devices) != 2 || len(r.Plans) != 2 || r.Interrupted() || r.Input != "trace" {
		t.Fatalf("%+v %v", r, err)
	}
	for i, d := range r.Devices {
		if d.Device != f.Devices[i].Index || d.TotalBytes != r.Plans[i].Plan.Total || d.TotalBytes < d.LowerBoundBytes || d.LowerBoundBytes < d.AllocatedPeakBytes {
			t.Errorf("%+v", d)
		}
		for _, s := range d.Simulated {
			if s.ReservedBytes < d.RequestedPeakBytes {
				t.Errorf("%s reserves %d B for %d B", s.Allocator, s.ReservedBytes, d.RequestedPeakBytes)
			}
		}
		if d.Iterations == nil {
			t.Error("there are no iterations")
		}
	}
	o.Granule, o.Iterations = 512, false
	rounded, err := app.Replay(t.Context(), "trace", f, o)
	if err != nil || rounded.Granule != 512 || rounded.Devices[0].AllocatedPeakBytes%512 != 0 || rounded.Devices[0].Iterations != nil {
		t.Errorf("%+v %v", rounded, err)
	}
}

// When the time ends, there is a plan nevertheless, and the result says so.
func TestReplayInTime(t *testing.T) {
	late, stop := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer stop()
	r, err := app.Replay(late, "trace", recorded(t, 5), app.ReplayOptions{})
	if err == nil && !r.Interrupted() {
		t.Errorf("%+v", r.Devices)
	}
}
