package benchmarks

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/tflarena/tflarena/alloc/stream"
	"github.com/tflarena/tflarena/alloc/stream/litert"
	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/testkit/builtin"
	"github.com/tflarena/tflarena/internal/testkit/golden"
)

const jointHead = `# Activations, weights and slices planned together

How much faster a run in a memory budget is if layers are cut along output channels (` + "`tflarena stream --slice auto`" + `), if activations
are tiled (` + "`--tile`" + `), and with both. Weights are read at 200 MiB per second, and a layer computes 30 billion multiply-accumulates per
second. The budget is in MiB, times are in milliseconds. "-" means that no plan fits. "Bound" is the time for computing alone. Repeat
with ` + "`go test ./benchmarks -run TestJoint -audit -update`" + `.

| network | budget | whole layers | slices | tiles | both | bound |
|---|---:|---:|---:|---:|---:|---:|
`

// TestJoint keeps joint.md what is found.
func TestJoint(t *testing.T) {
	if !*golden.Audit {
		t.Skip("left out without -audit: the searches take minutes")
	}
	var b bytes.Buffer
	b.WriteString(jointHead)
	for _, n := range []struct {
		title, name string
		budgets     []int64
	}{
		{"MobileNet v2", "mobilenet-v2", []int64{6, 9, 12}},
		{"MobileNet v2, int8", "mobilenet-v2-int8", []int64{2, 3}},
		{"SqueezeNet 1.1", "squeezenet-1.1", []int64{4, 6}},
	} {
		m := builtin.Model(t, n.name)
		for _, budget := range n.budgets {
			fmt.Fprintf(&b, "| %s | %d |", n.title, budget)
			for _, with := range []struct{ slices, tiles bool }{{}, {slices: true}, {tiles: true}, {slices: true, tiles: true}} {
				o := app.StreamOptions{Budget: budget << 20, Faster: with.slices, Tile: with.tiles, Whole: !with.slices, Rates: litert.Rates{MACs: streamMACs, Bytes: 200 << 20}}
				o.Strategy = stream.Best
				r, err := app.StreamModel(t.Context(), m, "", o)
				switch {
				case err != nil:
					t.Fatal(err)
				case r.Plan == nil:
					b.WriteString(" - |")
				default:
					fmt.Fprintf(&b, " %.3f |", r.LatencyMS)
				}
			}
			fmt.Fprintf(&b, " %.3f |\n", 1000*computeSeconds(t, n.name))
		}
	}
	golden.File(t, "joint.md", b.Bytes())
}

func computeSeconds(t *testing.T, name string) float64 {
	t.Helper()
	net, err := litert.Layers(builtin.Model(t, name), litert.Rates{MACs: streamMACs, Bytes: 200 << 20}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return net.Compute().Seconds()
}
