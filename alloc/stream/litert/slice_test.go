package litert

import (
	"testing"
	"time"

	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/internal/testkit/builtin"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/internal/testkit/mutate"
	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/tflite"
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
	whole, err := Layers(m, rates, nil)
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
	net, err := Layers(sliced, rates, nil)
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

// TestSlicesOfNetworks: no slice of any network has more bytes than asked for, and all but the last one of a layer have a
// multiple of 8 channels where that many fit.
func TestSlicesOfNetworks(t *testing.T) {
	cuts, steps := 0, 0
	for _, n := range models.List() {
		m := builtin.Model(t, n.Name)
		if len(m.Data) > 40<<20 && !*golden.Audit {
			continue
		}
		s, channels := &m.Subgraphs[0], channelsOf(m)
		for _, size := range []int64{60_000, 500_000, 2_000_000} {
			for i := range s.Operators {
				bytes := constantBytes(m, s, s.Operators[i].Inputs)
				if bytes <= size {
					continue
				}
				f, pieces, err := cut(t.Context(), m, i, channels[i], len(s.Tensors), size)
				if err != nil {
					t.Fatal(err)
				}
				if f == nil {
					continue
				}
				cuts++
				var channels []int32
				for k := range f.Operators {
					o := &f.Operators[k]
					if constants := constantsOf(f, o, len(s.Tensors)); constants > size {
						t.Errorf("%s, operator %d in %d slices of at most %d B: %d B", n.Name, i, pieces, size, constants)
					} else if constants > 0 && o.Kind == edit.Piece {
						shape := f.Tensors[o.Outputs[0]-len(s.Tensors)].Shape
						channels = append(channels, shape[len(shape)-1])
					}
				}
				shape := s.Tensors[s.Operators[i].Outputs[0]].Shape
				if 16*bytes > size*int64(shape[len(shape)-1]) { // less than 16 channels fit
					continue
				}
				steps++
				for _, c := range channels[:len(channels)-1] {
					if c%channelStep != 0 {
						t.Errorf("%s, operator %d of %d B in slices of at most %d B: %d channels", n.Name, i, bytes, size, channels)
						break
					}
				}
			}
		}
	}
	if cuts < 100 || steps < 50 {
		t.Errorf("%d operators cut, %d in steps", cuts, steps)
	}
}

// constantsOf returns the bytes of the new constants that an operator reads.
func constantsOf(f *split.Fragment, o *edit.Operator, base int) (bytes int64) {
	for _, t := range o.Inputs {
		if t >= base {
			bytes += int64(len(f.Tensors[t-base].Data))
		}
	}
	return bytes
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

// TestSliceZoo: operators of every kind, with tensors left out or unlike what they need, are cut or stay whole.
func TestSliceZoo(t *testing.T) {
	tried := 0
	for _, code := range mutate.Codes() {
		for _, o := range []mutate.Options{mutate.Absent, mutate.Zeros, mutate.Ones} {
			m, err := tflite.Parse(mutate.Zoo(code, o), "zoo")
			if err != nil { // such as one that calls itself
				continue
			}
			tried++
			if _, done, err := Slice(t.Context(), m, 1, &Rates{}); err != nil {
				t.Errorf("operators of code %d: %+v, %v", code, done, err)
			}
		}
	}
	if tried < len(mutate.Codes()) {
		t.Errorf("%d models", tried)
	}
}
