package tiling_test

import (
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/tiles/tiling"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// checkPainted holds the figures of a schedule to what is painted byte by byte and row by row.
func checkPainted(t *testing.T, m *tflite.Model, s *tiling.Schedule, semantics lifetime.Semantics) {
	t.Helper()
	used := paintedUse(s, semantics)
	peak, most := 0, int64(0)
	for half, bytes := range used {
		if bytes > most {
			peak, most = half, bytes
		}
	}
	if got, ok := s.Peak(semantics); ok != (most > 0) || got != peak {
		t.Errorf("the peak is at half step %d (%v), painted %d", got, ok, peak)
	}
	for i, live := range s.Live(semantics) {
		r := s.Runs[i]
		if want := slices.Max(used[2*r.FirstStep : 2*r.LastStep+2]); live != want {
			t.Errorf("operators %d to %d: %d bytes in use, painted %d", r.First, r.Last, live, want)
		}
		switch {
		case r.First < r.Last:
			checkOnChip(t, m, s, r)
		case r.Tile != tiling.Whole:
			checkTiles(t, m, s, r)
		}
	}
}

// paintedUse returns how many bytes are in use off chip at each half step, counted byte by byte.
func paintedUse(s *tiling.Schedule, semantics lifetime.Semantics) []int64 {
	used := make([]int64, 2*s.LastStep+2)
	for _, x := range s.Tensors {
		written, over := make([]int, x.Size), make([]int, x.Size) // half steps, both inclusive
		for k := range written {
			written[k], over[k] = -1, -1
		}
		for _, a := range x.Accesses {
			for k := a.Lo; k < a.Hi; k++ {
				half := 2 * a.Step
				switch {
				case semantics == lifetime.Atomic && a.Write:
					half++ // in the second half of its step it writes, in the first it reads
				case semantics != lifetime.Atomic && !a.Write:
					half++
				}
				if a.Write && written[k] < 0 {
					written[k] = half
				}
				if over[k] = max(over[k], half); a.Write && semantics != lifetime.Atomic {
					over[k] = max(over[k], half+1)
				}
			}
		}
		for k := range written {
			from, to := written[k], over[k]
			if x.Whole != nil {
				from, to = 2*x.Whole.First, 2*x.Whole.Last+1
				if semantics == lifetime.Atomic {
					from, to = from+1, to-1
				}
			}
			for half := from; from >= 0 && half <= to; half++ {
				used[half]++
			}
		}
	}
	return used
}

// checkOnChip computes what each step of a run needs on chip from the rows that it makes, one by one:
// a cascade makes of each tensor the rows that were not made before.
func checkOnChip(t *testing.T, m *tflite.Model, s *tiling.Schedule, r tiling.Run) {
	t.Helper()
	sub := &m.Subgraphs[0]
	last := &sub.Tensors[sub.Operators[r.Last].Outputs[0]]
	steps := r.LastStep - r.FirstStep + 1
	made := map[int]int64{}          // rows made until now
	there := map[int]map[int][]int{} // of a tensor in between, for each row the stripes that make or read it
	for _, x := range r.Between {
		there[x] = map[int][]int{}
	}
	needs := make([]int64, steps)
	for step := range steps {
		target := map[int]int64{sub.Operators[r.Last].Outputs[0]: min(int64(step+1)*r.Extent, int64(last.Shape[rowAxis(last)]))}
		for k := r.Last; k >= r.First; k-- {
			o := &sub.Operators[k]
			out := o.Outputs[0]
			from, to := made[out], target[out]
			if from >= to {
				continue
			}
			made[out] = to
			if k == r.Last {
				needs[step] += (to - from) * rowBytes(&sub.Tensors[out])
			}
			for y := from; there[out] != nil && y < to; y++ {
				there[out][int(y)] = append(there[out][int(y)], step)
			}
			regions := op.Regions(m, sub, o, 0)
			for i, region := range regions {
				in := o.Inputs[i]
				if in < 0 {
					continue
				}
				first := slices.Index(o.Inputs, in)
				again := first < i && slices.Equal(regions[first], region)
				needs[step] += paintedReads(&sub.Tensors[in], region, &sub.Tensors[out], from, to, func(y int64) {
					if there[in] != nil {
						there[in][int(y)] = append(there[in][int(y)], step)
						target[in] = max(target[in], y+1)
					}
				}, there[in] == nil && !again)
			}
		}
	}
	var kept int64
	for step := range steps {
		held := int64(0)
		for x, rows := range there {
			low, high := len(rows)+1, -1
			for y, stripes := range rows {
				if slices.Min(stripes) <= step && step <= slices.Max(stripes) {
					low, high = min(low, y), max(high, y)
				}
			}
			if high >= 0 {
				held += int64(high-low+1) * rowBytes(&sub.Tensors[x])
			}
		}
		needs[step], kept = needs[step]+held, max(kept, held)
	}
	if r.OnChip != slices.Max(needs) || r.Kept != kept {
		t.Errorf("operators %d to %d: %d bytes on chip, %d kept, painted %d and %d", r.First, r.Last, r.OnChip, r.Kept, slices.Max(needs), kept)
	}
}

// paintedReads calls row for the rows of an input that are read for some rows of an output, and returns
// the bytes read if counts is set: the bytes of the box around the reads of each single row.
func paintedReads(in *tflite.Tensor, region op.Region, out *tflite.Tensor, from, to int64, row func(y int64), counts bool) int64 {
	size, _ := in.PackedBytes()
	if len(region) == 0 && counts {
		return size
	}
	var around op.Box
	for y := from; y < to; y++ {
		box := make(op.Box, len(out.Shape))
		for axis, d := range out.Shape {
			box[axis] = op.Span{From: 0, To: int64(d)}
		}
		box[rowAxis(out)] = op.Span{From: y, To: y + 1}
		reads := region.Reads(box)
		if slices.ContainsFunc(reads, op.Span.Empty) {
			continue
		}
		for axis := range reads {
			if around == nil {
				around = slices.Clone(reads)
			}
			around[axis] = op.Span{From: min(around[axis].From, reads[axis].From), To: max(around[axis].To, reads[axis].To)}
		}
	}
	if around == nil {
		return 0
	}
	elements, all := int64(1), int64(1)
	for axis, s := range around {
		elements, all = elements*(s.To-s.From), all*int64(in.Shape[axis])
	}
	if counts {
		return elements * (size / all)
	}
	for y := around[rowAxis(in)].From; y < around[rowAxis(in)].To; y++ {
		row(y)
	}
	return 0
}
