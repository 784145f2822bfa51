package rewrite

import (
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/tflite"
)

func embed(t sample.TB, m *tflite.Model, offsets []int32) (*Result, *tflite.Model) {
	t.Helper()
	r, err := Embed(m, offsets, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r, modelfile.Parse(t, r.Data)
}

func remove(t sample.TB, m *tflite.Model) *Result {
	t.Helper()
	r, err := Remove(m, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func onlyPlan(t sample.TB, m *tflite.Model) Plan {
	t.Helper()
	plans, err := ReadPlans(m)
	if err != nil {
		t.Fatal(err)
	}
	if len(plans) != 1 {
		t.Fatalf("%d plans, want 1", len(plans))
	}
	return plans[0]
}

var _ sample.TB = (*testing.T)(nil)
