package replay

import (
	"context"
	"fmt"
	"math/rand"
	"testing"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/replay/pool"
	"github.com/tflarena/tflarena/lifetime"
)

// device returns a device of events in short: "+a5" requests block a of 5 bytes, "-a" releases
// it, "+a5@1" does so in lane 1, "S+20" and "S-20" reserve, "|" is a step, "(" an interrupt and
// ")" the resume.
func device(words ...string) *Device {
	d := &Device{Lanes: []Lane{{}, {Stream: 7}}, Name: func(b uint64) string { return fmt.Sprint(b) }}
	sizes := map[uint64]int64{}
	for i, w := range words {
		e := Event{Time: int64(i), Stack: -1}
		switch w[0] {
		case '|':
			e.Kind = Step
		case '(':
			e.Kind = Interrupt
		case ')':
			e.Kind = Resume
		case 'S':
			e.Kind = SegmentAlloc
			_, _ = fmt.Sscan(w[1:], &e.Size)
			if e.Size < 0 {
				e.Kind, e.Size = SegmentFree, -e.Size
			}
		case '+':
			e.Kind, e.Block = Alloc, uint64(w[1])
			_, _ = fmt.Sscanf(w[2:], "%d@%d", &e.Size, &e.Lane)
			sizes[e.Block] = e.Size
		case '-':
			e.Kind, e.Block = Free, uint64(w[1])
			e.Size = sizes[e.Block]
			_, _ = fmt.Sscanf(w[2:], "%d@%d", &e.Size, &e.Lane)
		}
		d.Events = append(d.Events, e)
	}
	return d
}

// newProfile returns the profile of a device that is right.
func newProfile(d *Device, granule int64) *Profile {
	p, err := NewProfile(d, granule)
	if err != nil {
		panic(err)
	}
	return p
}

func TestSizeChanges(t *testing.T) {
	_, err := NewProfile(device("+a10", "+b3", "-a11"), 4)
	if err == nil || err.Error() != "event 2 of device 0: block 97 is released with 11 B and was requested with 10 B" {
		t.Error(err)
	}
	if _, err := NewProfile(device("+a10", "-a12"), 4); err != nil {
		t.Error(err)
	}
}

func TestProfile(t *testing.T) {
	d := device("+a10", "-b7", "+c3", "-a", "+c4", "+d5@1")
	d.Blocks = []Block{{Address: 'c', Size: 4}, {Address: 'x', Size: 100}}
	p := newProfile(d, 1)
	got := ""
	for _, l := range p.Lives {
		got += fmt.Sprintf("%c%d [%d,%d] early %v late %v; ", l.Block, l.Size, l.First, l.Last, l.Early, l.Late)
	}
	const want = "b7 [0,0] early true late false; x100 [0,5] early true late true; a10 [0,2] early false late false; " +
		"c3 [2,3] early false late false; c4 [4,5] early false late true; d5 [5,5] early false late true; "
	if got != want || p.Unseen != 1 {
		t.Errorf("%s\n%d unseen, want\n%s", got, p.Unseen, want)
	}
	if n, bytes, m, more := p.Residents(); n != 1 || bytes != 100 || m != 1 || more != 7 {
		t.Error("residents", n, bytes, m, more)
	}
}

func TestFigures(t *testing.T) {
	d := device("S20", "+a10", "S30", "+b25", "-a", "S-20", "+c3")
	d.Recorded, d.Segments = true, []Segment{{Address: 1000, Size: 30}}
	f := newProfile(d, 4).Figures()
	want := Figures{Requested: 35, Allocated: 40, Reserved: 50, ReservedEnd: 30, HasReserved: true, AtPeak: 40, PeakEvent: 3}
	if f != want {
		t.Errorf("%+v, want %+v", f, want)
	}
	if x := f.Fragmentation(); x < 0.199 || x > 0.201 {
		t.Error(x)
	}
	if f := newProfile(device("S20", "S-50"), 1).Figures(); f.Reserved != 50 || f.ReservedEnd != 0 {
		t.Errorf("what was there before was at least 30: %+v", f)
	}
	if f := newProfile(device(), 1).Figures(); f.HasReserved || f.Fragmentation() != 0 {
		t.Errorf("%+v", f)
	}
}

func TestPlan(t *testing.T) {
	d := device("+a10", "+b4@1", "-a", "-b", "+c6", "+d5@1", "(", "+e1000", ")")
	d.Blocks = []Block{{Address: 'x', Size: 3}}
	p := newProfile(d, 1)
	apart, err := p.Plan(context.Background(), Options{})
	if err != nil || apart.Total != 3+10+5 || !apart.Optimal || len(apart.Parts) != 2 {
		t.Errorf("%+v, %v", apart, err)
	}
	together, err := p.Plan(context.Background(), Options{Together: true})
	if err != nil || together.Total != 3+14 || together.LowerBound != 17 || len(together.Parts) != 1 {
		t.Errorf("%+v, %v", together, err)
	}
	if plan, err := newProfile(device(), 1).Plan(context.Background(), Options{}); err != nil || plan.Total != 0 || !plan.Optimal {
		t.Errorf("%+v, %v", plan, err)
	}
}

// TestResidentsBelow checks on drawn traces that a plan with the blocks of the whole trace at the
// bottom is as good as one that may place them anywhere.
func TestResidentsBelow(t *testing.T) {
	for seed := range 200 {
		r := rand.New(rand.NewSource(int64(seed)))
		d := draw(r, 40)
		d.Blocks = []Block{{Address: 1 << 40, Size: r.Int63n(50)}, {Address: 1 << 41, Size: r.Int63n(9)}}
		p := newProfile(d, 1)
		plan, err := p.Plan(context.Background(), Options{Together: true})
		if err != nil {
			t.Fatal(err)
		}
		var records []lifetime.Record
		for _, l := range p.Lives {
			records = append(records, lifetime.Record{First: l.First, Last: l.Last, Size: l.Size})
		}
		free, err := alloc.Solve(context.Background(), records, alloc.Options{Approach: alloc.Offsets})
		if err != nil || !free.Optimal || free.Total != plan.Total || !plan.Optimal {
			t.Fatalf("seed %d: %d (%v), %d without the blocks at the bottom (%v), %v", seed, plan.Total, plan.Optimal, free.Total, free.Optimal, err)
		}
		if f := p.Figures(); f.Requested != plan.LowerBound && plan.LowerBound < f.Requested {
			t.Fatalf("seed %d: %d bytes in use at once, and a bound of %d", seed, f.Requested, plan.LowerBound)
		}
	}
}

// draw returns a device with requests and releases at random.
func draw(r *rand.Rand, events int) *Device {
	d := device()
	type b struct {
		block uint64
		size  int64
	}
	var alive []b
	for range events {
		if len(alive) > 0 && r.Intn(2) == 0 {
			k := r.Intn(len(alive))
			d.Events = append(d.Events, Event{Kind: Free, Block: alive[k].block, Size: alive[k].size, Stack: -1})
			alive = append(alive[:k], alive[k+1:]...)
			continue
		}
		x := b{uint64(len(d.Events)), r.Int63n(30)}
		alive = append(alive, x)
		d.Events = append(d.Events, Event{Kind: Alloc, Block: x.block, Size: x.size, Stack: -1})
	}
	return d
}

func TestSimulate(t *testing.T) {
	p := newProfile(device("+a5000000", "-a", "+b4000000", "+c4000000"), 512)
	for want, simulated := range map[int64]*pool.Pool{20 << 20: pool.NewCaching(false, 0), 5000192 + 4000256: pool.NewChainer(0)} {
		if got, err := p.Simulate(context.Background(), simulated); err != nil || got != want {
			t.Errorf("%d, %v, want %d", got, err, want)
		}
	}
}
