package pin_test

import (
	"fmt"
	"testing"

	"github.com/tflarena/tflarena/alloc/inplace"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/network"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/pin"
	"github.com/tflarena/tflarena/tflite"
)

// inUse returns the bytes of an arena that hold a live tensor at each position from -1 on: a plain count
// of the bytes that each record holds.
func inUse(records []lifetime.Record, offsets []int64, head int64, positions int) []int64 {
	list := make([]int64, positions+1)
	for i := range list {
		used := make([]bool, head)
		for k, r := range records {
			for p := range r.Pieces {
				for b := p.Lo; p.First <= i-1 && i-1 <= p.Last && b < p.Hi; b++ {
					if at := offsets[k] + b; !used[at] {
						used[at] = true
						list[i]++
					}
				}
			}
		}
	}
	return list
}

// peaks counts what was compared.
type peaks struct{ plans, below, shared, bound int }

// check compares the peak of a plan with what bounds its head.
func (n *peaks) check(t *testing.T, m *tflite.Model, device rules.Device, alias rules.Alias) {
	t.Helper()
	v, scratch := sample.Micro(t, m), device.Requests(m)
	choice, err := pin.Choose(t.Context(), v, pin.Options{Mode: pin.Peak, Alias: alias, Scratch: scratch})
	if err != nil {
		t.Fatal(err)
	}
	o, err := pin.Follow(t.Context(), rules.Micro(), m, choice.Offsets, scratch)
	if err != nil {
		t.Fatal(err)
	}
	use := o.PeakUse(alias)
	all := append(append([]lifetime.Record(nil), o.View.Remaining(alias)...), o.Records[o.Planned:]...)
	least, bound := inplace.Bound(all, o.View.Takeovers(alias), o.View.Overlaps(alias)), pin.Bound(o.View, scratch, alias)
	if use.Bytes > o.Head || use.Bytes < least {
		t.Errorf("%s with %s: %d B at position %d, head %d, at least %d", m.Name, alias, use.Bytes, use.Position, o.Head, least)
	}
	var most, sum int64
	for _, bytes := range inUse(all, o.Offsets, o.Head, len(o.View.Usage.Steps)) {
		most = max(most, bytes)
	}
	if want := min(most, bound); use.Bytes != want {
		t.Errorf("%s with %s: %d B at position %d; the plan has %d B in use, the bound is %d", m.Name, alias, use.Bytes, use.Position, most, bound)
	}
	for _, live := range use.Live {
		r := o.Records[live.Record]
		if live.Added < 0 || live.Added > live.Held || live.Held > r.Size || use.Position < r.First || use.Position > r.Last {
			t.Errorf("%s with %s: %+v of %+v at %d", m.Name, alias, live, r, use.Position)
		}
		sum += live.Added
		if live.Added < live.Held {
			n.shared++
		}
	}
	if sum != use.Bytes || alias == rules.NoAlias && use.Bytes != lifetime.MaxBreadth(v.WithScratch(scratch)) {
		t.Errorf("%s with %s: %+v adds up to %d", m.Name, alias, use, sum)
	}
	n.plans++
	if use.Bytes < lifetime.MaxBreadth(v.WithScratch(scratch)) {
		n.below++
	}
	if use.Bytes == o.Head {
		n.bound++
	}
}

// TestPeakUse: the bytes named are the lower bound of the head, at most the head, and add up from the
// records that hold them, with all levels of in-place outputs.
func TestPeakUse(t *testing.T) {
	var n peaks
	device := rules.DefaultDevice()
	draws := []func(seed uint64) []byte{
		network.Draw, network.Stateful,
		func(seed uint64) []byte { return network.Convolutions(seed, 1) }, func(seed uint64) []byte { return network.Calling(seed, 1) },
	}
	for seed := range uint64(30) {
		for k, draw := range draws {
			m, err := tflite.Parse(draw(seed), fmt.Sprintf("network %d of kind %d", seed, k))
			if err != nil {
				t.Fatal(err)
			}
			for _, alias := range rules.Aliases() {
				n.check(t, m, device, alias)
			}
		}
	}
	if n.below < n.plans/4 || n.shared < n.plans/8 || n.bound < n.plans/2 {
		t.Errorf("%+v: too few to tell", n)
	}
}

// TestPeakUseOfModels: the same of real models.
func TestPeakUseOfModels(t *testing.T) {
	var n peaks
	for _, f := range corpus.Accepted(t) {
		m := sample.OpenFile(t, f.Path)
		if m == nil || f.Slow() || len(m.Subgraphs) == 0 {
			continue
		}
		v, err := rules.Micro().View(m, -1)
		if err != nil || len(v.Records()) > 150 || lifetime.MaxBreadth(v.Records()) > 100_000 {
			continue
		}
		device, err := rules.UsualDevice([]string{"reference", "cmsis-nn-mve", "esp-nn-s3"}[len(f.Name)%3])
		if err != nil {
			t.Fatal(err)
		}
		for _, alias := range rules.Aliases() {
			n.check(t, m, device, alias)
		}
	}
	if n.below < 20 || n.shared < 5 {
		t.Errorf("%+v: too few to tell", n)
	}
}
