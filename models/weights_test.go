package models

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

func TestWeightsDoNotChangeTheGraph(t *testing.T) {
	for _, n := range List() {
		if n.Group == Papers || n.Group == Irregular && testing.Short() {
			continue // by the same code
		}
		want := outline(build(t, n.Name, Options{}))
		for _, w := range []Weights{Zero, Random} {
			if diff := cmp.Diff(want, outline(build(t, n.Name, Options{Weights: w}))); diff != "" {
				t.Errorf("%s with %s weights: %s", n.Name, w, diff)
			}
		}
	}
}

func TestExternalFilesStaySmall(t *testing.T) {
	for _, n := range List() {
		data := build(t, n.Name, Options{})
		limit := 64 << 10
		if n.Group != Tables {
			limit = 200 << 10
		}
		if len(data) > limit {
			t.Errorf("%s takes %d bytes", n.Name, len(data))
		}
		if !bytes.Equal(data, build(t, n.Name, Options{Weights: External, Seed: 5})) {
			t.Errorf("%s: the zero options are not external weights", n.Name)
		}
		if size := len(build(t, n.Name+Int8, Options{})); size > 512<<10 {
			t.Errorf("%s takes %d bytes", n.Name+Int8, size)
		}
	}
}

// TestExternalBuffersAreDisjoint reads the offsets of the weights back: ordered, aligned,
// contiguous.
func TestExternalBuffersAreDisjoint(t *testing.T) {
	m := schema.GetRootAsModel(build(t, "mobilenet-v1", Options{}), 0)
	var end uint64
	for i := range m.ExternalBuffersLength() {
		var e schema.ExternalBuffer
		m.ExternalBuffers(&e, i)
		if e.Offset() < end || e.Offset()%16 != 0 || e.Length() == 0 {
			t.Fatalf("buffer %d is [%d, +%d) behind %d", i, e.Offset(), e.Length(), end)
		}
		end = e.Offset() + e.Length()
	}
}

// TestParameters compares the number of weights with the trainable parameters of Keras's
// versions, with 1000 classes and without the scales that batch normalisation folds into the
// weights (its Inception v3 has none).
func TestParameters(t *testing.T) {
	for name, want := range map[string]uint64{
		"mobilenet-v1": 4_231_976 - 10_944 + (1024 + 1),
		"mobilenet-v2": 3_504_872 - 17_056 + (1280 + 1),
		"inception-v3": 23_817_352 + (2048 + 1),
	} {
		if got := externalBytes(build(t, name, Options{})) / 4; got != want {
			t.Errorf("%s has %d parameters, want %d", name, got, want)
		}
	}
}

// externalBytes returns the bytes of all weights of a file that does not embed them.
func externalBytes(data []byte) (bytes uint64) {
	m := schema.GetRootAsModel(data, 0)
	for i := range m.ExternalBuffersLength() {
		var e schema.ExternalBuffer
		m.ExternalBuffers(&e, i)
		bytes += e.Length()
	}
	return bytes
}

// TestRandomWeightsAreDistinct requires a separate buffer for each tensor: a model with swapped
// weights must compute something else.
func TestRandomWeightsAreDistinct(t *testing.T) {
	for _, name := range []string{"blazeface", "mobilenet-v1", "squeezenet-1.1-int8"} {
		external := build(t, name, Options{})
		m := schema.GetRootAsModel(build(t, name, Options{Weights: Random}), 0)
		seen := map[[sha256.Size]byte]bool{}
		var bytes uint64
		for i := range m.BuffersLength() {
			var b schema.Buffer
			m.Buffers(&b, i)
			if digest := sha256.Sum256(b.DataBytes()); b.DataLength() > 64 && seen[digest] {
				t.Errorf("%s: buffer %d is like another one", name, i)
			} else {
				seen[digest] = true
			}
			bytes += uint64(b.DataLength())
		}
		if want := externalBytes(external); bytes < want {
			t.Errorf("%s has %d bytes of weights, want at least %d", name, bytes, want)
		}
	}
}

func TestSeeds(t *testing.T) {
	one := build(t, "blazeface", Options{Weights: Random, Seed: 1})
	two := build(t, "blazeface", Options{Weights: Random, Seed: 2})
	if bytes.Equal(one, two) {
		t.Error("two seeds give the same weights")
	}
	if !bytes.Equal(build(t, "blazeface", Options{Weights: Zero, Seed: 1}), build(t, "blazeface", Options{Weights: Zero, Seed: 2})) {
		t.Error("zeros depend on the seed")
	}
}

// TestRandomIsTheSameEverywhere pins the numbers, which must not depend on the platform's
// rounding.
func TestRandomIsTheSameEverywhere(t *testing.T) {
	data := make([]byte, 4<<10)
	content{fanIn: 27}.random(rand.New(rand.NewPCG(1, 0)), data)
	const want = "e504a215439647588e87d0691ccf88390a7a595bb8d3aa8d521e81a494ec8287"
	if got := fmt.Sprintf("%x", sha256.Sum256(data)); got != want {
		t.Errorf("digest %s, want %s", got, want)
	}
}

func TestRandomHasTheVarianceForReLU(t *testing.T) {
	const n, fanIn = 100_000, 48
	data := make([]byte, 4*n)
	content{fanIn: fanIn}.random(rand.New(rand.NewPCG(7, 0)), data)
	var sum, squares float64
	for i := 0; i < len(data); i += 4 {
		v := float64(math.Float32frombits(binary.LittleEndian.Uint32(data[i:])))
		sum += v
		squares += v * v
	}
	if mean := sum / n; math.Abs(mean) > 0.003 {
		t.Errorf("mean %g", mean)
	}
	if variance := squares / n; math.Abs(variance-2.0/fanIn) > 0.01*2/fanIn {
		t.Errorf("variance %g, want %g", variance, 2.0/fanIn)
	}
}

// spoiled returns a file of two layers with zero weights, modified by spoil.
func spoiled(t *testing.T, spoil func(g *graph)) []byte {
	t.Helper()
	var g graph
	x := g.conv("one", g.input("input", 1, 4, 4, 3), 2, same(3, 3))
	g.output(g.conv("two", x, 5, valid(1, 1)))
	var m encode.Model
	if err := g.fill(&m, "", Options{Weights: Zero}); err != nil || g.err != nil {
		t.Fatal(err, g.err)
	}
	spoil(&g)
	m.Subgraphs = []encode.Subgraph{g.sub}
	return encode.Encode(m)
}
