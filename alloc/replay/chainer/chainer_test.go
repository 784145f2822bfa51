package chainer

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/alloc/replay"
	"github.com/tflarena/tflarena/alloc/replay/trace"
)

// TestTraces records every network in both ways: what is requested is released within its mini-batch,
// mini-batches of pictures are alike, and a trace is the same after it was written and read.
func TestTraces(t *testing.T) {
	for _, n := range Networks() {
		for _, training := range []bool{false, true} {
			o := Options{Batch: 2, Training: training, Batches: 3}
			if n.Translator {
				o.LeastWords, o.MostWords = 2, 9
			}
			recorded, err := n.Trace(o)
			if err != nil {
				t.Fatal(err)
			}
			events := recorded.Devices[0].Events
			sizes, inUse, requests := []int64{}, map[uint64]bool{}, 0
			var steps [][]int64
			for _, e := range events {
				switch e.Kind {
				case replay.Alloc:
					inUse[e.Block] = true
					sizes = append(sizes, e.Size)
					requests++
				case replay.Free:
					delete(inUse, e.Block)
				case replay.Step:
					if len(inUse) > 0 {
						t.Errorf("%s: %d blocks are in use after a mini-batch", n.Name, len(inUse))
					}
					steps, sizes = append(steps, sizes), nil
				}
			}
			if len(steps) != o.Batches {
				t.Fatalf("%s: %d steps, want %d", n.Name, len(steps), o.Batches)
			}
			if alike := cmp.Equal(steps[0], steps[1]) && cmp.Equal(steps[1], steps[2]); alike == n.Translator {
				t.Errorf("%s: mini-batches are alike: %v", n.Name, alike)
			}
			var b bytes.Buffer
			if err := trace.WriteCSV(&b, recorded); err != nil {
				t.Fatal(err)
			}
			f, err := trace.Read(b.Bytes(), nil)
			if err != nil {
				t.Fatal(err)
			}
			read := f.Devices[0].Events
			for i, e := range read {
				function, _ := f.Caller(e.Stack)
				want, _ := recorded.Caller(events[i].Stack)
				if e.Kind != events[i].Kind || e.Size != events[i].Size || e.Kind != replay.Step && e.Block != events[i].Block || function != want {
					t.Fatalf("%s: event %d is %+v of %q, was %+v of %q", n.Name, i, e, function, events[i], want)
				}
			}
			if len(read) != len(events) || len(read) != 2*requests+o.Batches {
				t.Errorf("%s: %d events read of %d, with %d requests", n.Name, len(read), len(events), requests)
			}
		}
	}
}

func TestRefused(t *testing.T) {
	list := Networks()
	pictures, translator := list[0], list[len(list)-1]
	for name, test := range map[string]struct {
		n Network
		o Options
	}{
		"no pictures":         {pictures, Options{Batches: 1}},
		"many pictures":       {pictures, Options{Batch: MaxBatch + 1, Batches: 1}},
		"no mini-batches":     {pictures, Options{Batch: 1}},
		"many mini-batches":   {pictures, Options{Batch: 1, Batches: MaxBatches + 1}},
		"words of pictures":   {pictures, Options{Batch: 1, Batches: 1, LeastWords: 1, MostWords: 1}},
		"no words":            {translator, Options{Batch: 1, Batches: 1}},
		"fewer than least":    {translator, Options{Batch: 1, Batches: 1, LeastWords: 2, MostWords: 1}},
		"long sentences":      {translator, Options{Batch: 1, Batches: 1, LeastWords: 1, MostWords: MaxWords + 1}},
		"many long sentences": {translator, Options{Batch: 1, Batches: MaxBatches, LeastWords: 1, MostWords: MaxWords}},
	} {
		if _, err := test.n.Trace(test.o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
