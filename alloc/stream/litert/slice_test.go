package litert

import (
	"testing"
	"time"

	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/internal/testkit/builtin"
)

// TestSlice cuts the large layers of a network: no weights stay above the size, all of them are still there,
// and so are the times.
func TestSlice(t *testing.T) {
	const size = 1 << 20
	m := builtin.Model(t, "squeezenet-1.1")
	rates := Rates{Bytes: 1e8, Compute: map[int]time.Duration{}}
	for i := range m.Subgraphs[0].Operators {
		rates.Compute[i] = time.Millisecond
	}
	whole, err := Layers(m, rates)
	if err != nil {
		t.Fatal(err)
	}
	sliced, done, err := Slice(t.Context(), m, size, &rates)
	if err != nil {
		t.Fatal(err)
	}
	if done.Cut == 0 || done.Pieces < 2*done.Cut || done.Whole > 0 {
		t.Errorf("%+v", done)
	}
	net, err := Layers(sliced, rates)
	if err != nil {
		t.Fatal(err)
	}
	sum := func(n *network.Network) (bytes int64, compute time.Duration) {
		for _, l := range n.Layers {
			compute += l.Compute
		}
		for _, w := range n.Tensors {
			if w.Kind == network.Weight {
				bytes += w.Size
				if n == net && w.Size > size {
					t.Errorf("layer %d still has %d bytes", w.First, w.Size)
				}
			}
		}
		return bytes, compute
	}
	wholeBytes, wholeTime := sum(whole)
	bytes, compute := sum(net)
	if bytes != wholeBytes || (compute-wholeTime).Abs() > time.Microsecond {
		t.Errorf("%d bytes in %v, were %d in %v", bytes, compute, wholeBytes, wholeTime)
	}
	if same, done, err := Slice(t.Context(), m, 1<<30, &rates); err != nil || same != m || done.Cut != 0 {
		t.Errorf("nothing is too large: %+v, %v", done, err)
	}
}

// TestSliceRefused: a model whose operators must keep their places stays whole, without an error.
func TestSliceRefused(t *testing.T) {
	const size = 1 << 20
	m := builtin.Model(t, "squeezenet-1.1")
	s := &m.Subgraphs[0]
	for i := range s.Operators {
		s.Tensors[s.Operators[i].Outputs[0]].Variable = true
	}
	sliced, done, err := Slice(t.Context(), m, size, &Rates{})
	if err != nil || sliced != m || done.Cut > 0 || done.Whole == 0 {
		t.Errorf("%+v, %v", done, err)
	}
}
