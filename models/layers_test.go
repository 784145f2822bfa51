package models

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/schema"
)

// TestWindowSteps counts the positions of a window one by one.
func TestWindowSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		small := rapid.Int32Range(1, 9)
		w := window{
			height:   small.Draw(t, "height"),
			width:    1,
			stride:   small.Draw(t, "stride"),
			dilation: small.Draw(t, "dilation"),
		}
		size := rapid.Int32Range(1, 60).Draw(t, "size")
		var same, valid int32
		for at := int32(0); at < size; at += w.stride {
			same++
			if at+(w.height-1)*w.dilation < size {
				valid++
			}
		}
		w.padding = schema.PaddingSAME
		if got, _ := w.over(size, 1); got != same {
			t.Errorf("SAME: %d, want %d", got, same)
		}
		w.padding = schema.PaddingVALID
		if got, _ := w.over(size, 1); got != valid {
			t.Errorf("VALID: %d, want %d", got, valid)
		}
	})
}

// TestShapes has one case per layer; a mismatch is an error, never a panic.
func TestShapes(t *testing.T) {
	for name, test := range map[string]struct {
		layer func(g *graph, x value) value // x is [1 6 4 3]
		want  []int32
	}{
		"conv":        {func(g *graph, x value) value { return g.conv("y", x, 8, same(3, 3).by(2)) }, []int32{1, 3, 2, 8}},
		"conv wide":   {func(g *graph, x value) value { return g.conv("y", x, 8, valid(1, 3)) }, []int32{1, 6, 2, 8}},
		"depthwise":   {func(g *graph, x value) value { return g.depthwise("y", x, valid(3, 3)) }, []int32{1, 4, 2, 3}},
		"pool":        {func(g *graph, x value) value { return g.averagePool("y", x, valid(6, 4)) }, []int32{1, 1, 1, 3}},
		"max pool":    {func(g *graph, x value) value { return g.maxPool("y", x, valid(2, 2).by(2)) }, []int32{1, 3, 2, 3}},
		"add":         {func(g *graph, x value) value { return g.add("y", x, x, 0) }, []int32{1, 6, 4, 3}},
		"concat":      {func(g *graph, x value) value { return g.concat("y", 3, x, x, x) }, []int32{1, 6, 4, 9}},
		"concat rows": {func(g *graph, x value) value { return g.concat("y", 1, x, x) }, []int32{1, 12, 4, 3}},
		"pad": {func(g *graph, x value) value {
			return g.pad("y", x, [2]int32{}, [2]int32{1, 2}, [2]int32{}, [2]int32{0, 5})
		}, []int32{1, 9, 4, 8}},
		"resize":  {func(g *graph, x value) value { return g.resize("y", x, 9, 2) }, []int32{1, 9, 2, 3}},
		"reshape": {func(g *graph, x value) value { return g.reshape("y", x, 8, -1, 3) }, []int32{8, 3, 3}},
		"softmax": {func(g *graph, x value) value { return g.softmax("y", x) }, []int32{1, 6, 4, 3}},
		"squeeze": {func(g *graph, x value) value {
			return g.squeeze("y", g.maxPool("p", x, valid(6, 4)))
		}, []int32{1, 3}},

		"relu":      {func(g *graph, x value) value { return g.relu("y", x) }, []int32{1, 6, 4, 3}},
		"crop":      {func(g *graph, x value) value { return g.crop("y", x) }, []int32{1, 5, 3, 3}},
		"sum":       {func(g *graph, x value) value { return g.sum("y", 0, x, x, x) }, []int32{1, 6, 4, 3}},
		"one sum":   {func(g *graph, x value) value { return g.sum("y", 0, x) }, []int32{1, 6, 4, 3}},
		"join":      {func(g *graph, x value) value { return g.join("y", x, x) }, []int32{1, 6, 4, 6}},
		"one join":  {func(g *graph, x value) value { return g.join("y", x) }, []int32{1, 6, 4, 3}},
		"dense":     {func(g *graph, x value) value { return g.dense("y", g.reshape("r", x, 1, -1), 5) }, []int32{1, 5}},
		"classes":   {func(g *graph, x value) value { return g.classifier("y", x, 5) }, []int32{1, 5}},
		"separable": {func(g *graph, x value) value { return separableTwice(5)(g, "y", x, 8, 2) }, []int32{1, 3, 2, 8}},

		"transposed conv": {func(g *graph, x value) value { return g.transposeConv("y", x, 2, same(9, 9).by(3)) }, []int32{1, 18, 12, 2}},
		"prelu":           {func(g *graph, x value) value { return g.prelu("y", x) }, []int32{1, 6, 4, 3}},
		"repeated":        {func(g *graph, x value) value { return g.mul("y", g.maxPool("p", x, valid(6, 4)), x) }, []int32{1, 6, 4, 3}},
		"of fewer": {func(g *graph, x value) value {
			return g.minus("y", g.floats("f", []int32{4, 1}, 0, 0, 0, 0), x)
		}, []int32{1, 6, 4, 3}},
		"layer norm": {func(g *graph, x value) value { return g.layerNorm("y", x) }, []int32{1, 6, 4, 3}},
		"response":   {func(g *graph, x value) value { return g.response("y", x) }, []int32{1, 6, 4, 3}},
		"transpose":  {func(g *graph, x value) value { return g.transpose("y", x, 0, 3, 1, 2) }, []int32{1, 3, 6, 4}},
		"product":    {func(g *graph, x value) value { return g.matMul("y", x, x, true) }, []int32{1, 6, 4, 4}},
		"plain product": {func(g *graph, x value) value {
			return g.matMul("y", x, g.transpose("t", x, 0, 1, 3, 2), false)
		}, []int32{1, 6, 4, 4}},
		"unpack":  {func(g *graph, x value) value { return g.unpack("y", x, 1)[5] }, []int32{1, 4, 3}},
		"split":   {func(g *graph, x value) value { return g.split("y", x, 3)[2] }, []int32{1, 6, 4, 1}},
		"arg max": {func(g *graph, x value) value { return g.argMax("y", x) }, []int32{1, 6, 4}},
		"connect": {func(g *graph, x value) value { return g.connect("y", x, 5, 0) }, []int32{1, 6, 4, 5}},
		"rows": {func(g *graph, x value) value {
			return g.rows("y", g.weight("w", 1, 9, 7), g.argMax("a", x))
		}, []int32{1, 6, 4, 7}},

		"unlike factors":      {func(g *graph, x value) value { return g.mul("y", x, g.resize("r", x, 5, 4)) }, nil},
		"unlike matrices":     {func(g *graph, x value) value { return g.matMul("y", x, x, false) }, nil},
		"unlike batches":      {func(g *graph, x value) value { return g.matMul("y", x, g.resize("r", x, 1, 4), true) }, nil},
		"few in an order":     {func(g *graph, x value) value { return g.transpose("y", x, 1, 0) }, nil},
		"unequal parts":       {func(g *graph, x value) value { return g.split("y", x, 2)[0] }, nil},
		"nothing to unpack":   {func(g *graph, x value) value { return g.unpack("y", x, 4)[0] }, nil},
		"rows by floats":      {func(g *graph, x value) value { return g.rows("y", g.weight("w", 1, 9, 7), x) }, nil},
		"weights that shift":  {func(g *graph, x value) value { return g.linear("y", x, g.weight("w", 4, 5, 4), none, 0) }, nil},
		"window too large":    {func(g *graph, x value) value { return g.conv("y", x, 8, valid(7, 7)) }, nil},
		"dilation too large":  {func(g *graph, x value) value { return g.depthwise("y", x, valid(3, 3).dilated(3)) }, nil},
		"no channels":         {func(g *graph, x value) value { return g.conv("y", x, 0, same(1, 1)) }, nil},
		"unlike sums":         {func(g *graph, x value) value { return g.add("y", x, g.resize("r", x, 1, 1), 0) }, nil},
		"unlike parts":        {func(g *graph, x value) value { return g.concat("y", 3, x, g.resize("r", x, 1, 1)) }, nil},
		"unlike ranks":        {func(g *graph, x value) value { return g.concat("y", 0, x, g.reshape("r", x, -1)) }, nil},
		"no such axis":        {func(g *graph, x value) value { return g.concat("y", 4, x, x) }, nil},
		"few paddings":        {func(g *graph, x value) value { return g.pad("y", x, [2]int32{1, 1}) }, nil},
		"unlike sums of many": {func(g *graph, x value) value { return g.sum("y", 0, x, g.resize("r", x, 1, 1)) }, nil},
		"unlike joins":        {func(g *graph, x value) value { return g.join("y", x, g.resize("r", x, 1, 1)) }, nil},
		"dense image":         {func(g *graph, x value) value { return g.dense("y", x, 5) }, nil},
		"nothing left":        {func(g *graph, x value) value { return g.crop("y", g.resize("r", x, 1, 1)) }, nil},
		"no whole reshape":    {func(g *graph, x value) value { return g.reshape("y", x, 5, -1) }, nil},
		"wrong reshape":       {func(g *graph, x value) value { return g.reshape("y", x, 71) }, nil},
		"large squeeze":       {func(g *graph, x value) value { return g.squeeze("y", x) }, nil},
		"no image":            {func(g *graph, x value) value { return g.conv("y", g.reshape("r", x, 72), 1, same(1, 1)) }, nil},
	} {
		var g graph
		y := test.layer(&g, g.input("x", 1, 6, 4, 3))
		switch {
		case test.want == nil && (g.err == nil || !strings.HasPrefix(g.err.Error(), "layer y: ")):
			t.Errorf("%s: error %v", name, g.err)
		case test.want != nil && g.err != nil:
			t.Errorf("%s: %v", name, g.err)
		case test.want != nil:
			if diff := cmp.Diff(test.want, g.shape(y)); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
		}
	}
}
