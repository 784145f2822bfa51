package split_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// TestWiderFilters: zeros around the filters of depthwise convolutions change no output, and their
// multiply-accumulates are counted.
func TestWiderFilters(t *testing.T) {
	widened := 0
	manyCuts(t, func(t *rapid.T, c *cuttings) {
		m, zeros := depthwiseNetwork(t)
		s := randomStage(t, m)
		s.Carry, s.Widen = true, true
		c.check(t, m, zeros, s)
		widened = c.widened
	})
	if widened == 0 {
		t.Error("zeros were never added")
	}
}

// depthwiseNetwork returns a depthwise convolution of 8 bits between others, and its zero points.
func depthwiseNetwork(t *rapid.T) (*tflite.Model, []float64) {
	n := &network{t: t, read: map[int]int{}, kind: schema.TensorTypeINT8}
	n.sub.Name = "main"
	in := n.tensor(1, int32(n.pick("height", 5, 17)), int32(n.pick("width", 3, 9)), int32(n.pick("channels", 1, 3)))
	n.sub.Inputs, n.open = []int{in}, []int{in}
	at := n.depthwise(n.conv(in))
	if n.pick("twice", 0, 1) == 1 {
		at = n.depthwise(at)
	}
	n.conv(at)
	return n.model()
}

// TestTileTakesOneRowLess: a tile of a convolution with a stride of 2 computes no row that no window needs.
func TestTileTakesOneRowLess(t *testing.T) {
	m := open(t, "micro/person_detect")
	f, err := split.Cut(m, split.Stage{First: 0, Last: 3, Rows: 3, Columns: 1, Carry: true, Widen: true}, len(m.Subgraphs[0].Tensors))
	if err != nil {
		t.Fatal(err)
	}
	rows := int32(0)
	for _, o := range f.Operators {
		if o.Of == 2 { // the pointwise convolution before it
			rows += f.Tensors[o.Outputs[0]-len(m.Subgraphs[0].Tensors)].Shape[1]
		}
	}
	if want := int32(48 + 2); rows != want { // one row more for each edge between tiles
		t.Errorf("%d rows, want %d", rows, want)
	}
}
