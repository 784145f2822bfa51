package transform

import (
	"bytes"
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/provenance"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// substituted applies the rules that pay.
func substituted(t *testing.T, library string, noAssertions bool, m *tflite.Model) *Result {
	t.Helper()
	before, d := bytes.Clone(m.Data), device(t, library)
	r, err := Substitute(context.Background(), m, Options{Device: d, NoAssertions: noAssertions})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(before, m.Data) {
		t.Error("the model was changed")
	}
	checkSubstituted(t, d, noAssertions, m, r)
	return r
}

// ruleNames returns the rules of a result.
func ruleNames(r *Result) (list []string) {
	for _, a := range r.Applied {
		list = append(list, a.Rule.Name)
	}
	return list
}

func plainDraft() *draft {
	d := newDraft(2, 0)
	d.plain = true
	return d
}

// pointwise returns a slide of single pixels over rows.
func pointwise(rows int32) slide {
	return slide{in: [2]int32{rows, 1}, kernel: [2]int32{1, 1}, stride: [2]int32{1, 1}, dilation: [2]int32{1, 1}, padding: schema.PaddingVALID}.fixed()
}

// TestSubstitute: a rule is applied where it makes the arena smaller, unless its operators have a fault on the target that the
// original has not.
func TestSubstitute(t *testing.T) {
	conv := func(rows, depth int32) func(d *draft) int {
		return func(d *draft) int { return d.conv(d.input(i8, 1, rows, 1, depth), pointwise(rows), 64) }
	}
	oneChannel := func(d *draft) int {
		w := slide{in: [2]int32{9, 9}, kernel: [2]int32{3, 3}, stride: [2]int32{1, 1}, dilation: [2]int32{1, 1}, padding: schema.PaddingVALID}
		return d.conv(d.input(i8, 1, 9, 9, 1), w.fixed(), 8)
	}
	chain := func(d *draft) int {
		x := d.input(i8, 1, 64)
		for range 6 {
			x = d.connected(x, 64, 64, false, false)
		}
		return x
	}
	for name, test := range map[string]struct {
		library      string
		noAssertions bool
		draw         func(d *draft) int
		want         []string
	}{
		"scratch":                  {"esp-nn-s3", false, conv(8, 16), []string{"conv-to-fully-connected"}},
		"a fault of several rows":  {"esp-nn-s3@1.2.3", false, conv(8, 20), nil},
		"one row has no fault":     {"esp-nn-s3", false, conv(1, 20), []string{"conv-to-fully-connected"}},
		"nothing to gain":          {"reference", false, oneChannel, nil},
		"sums of weights":          {"cmsis-nn-mve", true, chain, []string{"fully-connected-rank-4"}},
		"assertions":               {"cmsis-nn-mve", false, chain, nil},
		"no sums without vectors":  {"cmsis-nn-dsp", true, chain, nil},
		"work":                     {"reference", false, generators["slice-whole"], []string{"slice-whole"}},
		"an output of the network": {"reference", false, func(d *draft) int { x := d.image(f32); return d.reshape(x, d.sub.Tensors[x].Shape...) }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			d := plainDraft()
			m := d.parse(t, test.draw(d))
			r := substituted(t, test.library, test.noAssertions, m)
			if diff := cmp.Diff(test.want, ruleNames(r)); diff != "" {
				t.Errorf("rules (-want +got):\n%s", diff)
			}
			for _, a := range r.Applied {
				if len(a.Operators) == 0 || a.Saved <= 0 {
					t.Errorf("%s saves %d bytes at %v", a.Rule.Name, a.Saved, a.Operators)
				}
			}
		})
	}
}

// TestSubstituteRecord: the result has a record of its rules, which grows when more are applied.
func TestSubstituteRecord(t *testing.T) {
	d := plainDraft()
	x := d.conv(d.input(i8, 1, 8, 1, 16), pointwise(8), 64)
	m := d.parse(t, d.conv(d.relu(x), pointwise(8), 64))
	r := substituted(t, "esp-nn-s3", false, m)
	want := &provenance.Record{Version: 1, Rules: []provenance.Rule{{Name: "conv-to-fully-connected", Operators: 2}}, Exact: provenance.Exact{Kernels: provenance.Families, LiteRT: true}}
	if got, err := provenance.Read(r.Model); err != nil || cmp.Diff(want, got) != "" {
		t.Errorf("%v, %+v", err, got)
	}
	again := substituted(t, "esp-nn-s3", false, r.Model)
	if len(again.Applied) > 0 {
		t.Errorf("a second time: %v", ruleNames(again))
	}
}

// TestSubstituteStops: without time the model stays as it is.
func TestSubstituteStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	d := plainDraft()
	m := d.parse(t, d.conv(d.input(i8, 1, 8, 1, 16), pointwise(8), 64))
	r, err := Substitute(ctx, m, Options{Device: device(t, "esp-nn-s3")})
	if err != nil || r.Model != m || len(r.Applied) > 0 {
		t.Errorf("%v, %v", err, ruleNames(r))
	}
}

// TestSubstituteEverywhere: only rules that are exact in LiteRT as well are applied if that is asked for.
func TestSubstituteEverywhere(t *testing.T) {
	d := plainDraft()
	x := d.conv(d.input(i8, 1, 8, 1, 16), pointwise(8), 64)
	m := d.parse(t, d.relu(d.reshape(x, 1, 8, 1, 64)))
	r, err := Substitute(context.Background(), m, Options{Device: device(t, "esp-nn-s3"), Everywhere: true})
	if err != nil || !slices.Equal(ruleNames(r), []string{"reshape-to-same"}) {
		t.Errorf("%v, %v", err, ruleNames(r))
	}
}

// TestSharedFilter: a filter that another operator reads, too, keeps its shape, and shares its data with the new one.
func TestSharedFilter(t *testing.T) {
	d := plainDraft()
	x := d.input(i8, 1, 8, 1, 16)
	y := d.conv(x, pointwise(8), 64)
	// Another convolution with the same filter, whose stride keeps it from becoming FULLY_CONNECTED.
	w := pointwise(8)
	w.stride[0] = 2
	z := d.conv(x, w.fixed(), 64)
	first, second := &d.sub.Operators[0], &d.sub.Operators[1]
	second.Inputs = slices.Clone(first.Inputs)
	d.sub.Tensors[z].Quantization = d.sub.Tensors[y].Quantization
	m := d.parse(t, y, z)
	r := substituted(t, "esp-nn-s3", false, m)
	if !slices.Equal(ruleNames(r), []string{"conv-to-fully-connected"}) {
		t.Fatal(ruleNames(r))
	}
	sub := &r.Model.Subgraphs[0]
	shared, own := sub.Operand(sub.Operators[1].Inputs, 1), sub.Operand(sub.Operators[0].Inputs, 1)
	if !slices.Equal(shared.Shape, []int32{64, 1, 1, 16}) || !slices.Equal(own.Shape, []int32{64, 16}) || shared.Buffer != own.Buffer {
		t.Errorf("shapes %v and %v, buffers %d and %d", shared.Shape, own.Shape, shared.Buffer, own.Buffer)
	}
}
