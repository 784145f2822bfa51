package verify

import (
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/rewrite"
)

// A plan that lays all tensors end to end is right, whatever the model.
func TestCorpusPlans(t *testing.T) {
	for _, file := range corpus.Models(t) {
		m := sample.OpenFile(t, file.Path)
		if m == nil {
			continue
		}
		r, err := rewrite.Embed(m, sample.Naive(t, m), rewrite.Options{Force: true})
		if err != nil {
			t.Fatalf("%s: %v", file.Name, err)
		}
		for _, f := range verify(t, modelfile.Parse(t, r.Data)).Findings {
			if f.Severity != Note {
				t.Errorf("%s: %s: %+v", file.Name, f.Severity, f)
			}
		}
	}
}

// Other tools' plans in the corpus have tensors share memory on purpose.
func TestCorpusAliases(t *testing.T) {
	for _, file := range corpus.Models(t) {
		if file.Name != "micro/person_detect_vela.tflite" {
			continue
		}
		m := sample.OpenFile(t, file.Path)
		v, err := Plan(m)
		if err != nil || !v.OK() {
			t.Fatalf("%v, findings %v", err, v.Findings)
		}
		aliases := 0
		for _, f := range v.Findings {
			if f.Severity == Aliasing && f.Law == LawOverlap && len(f.Tensors) == 2 {
				aliases++
			}
		}
		if len(v.Pinned) != 4 || aliases == 0 {
			t.Errorf("%d pinned tensors, %d overlaps: %v", len(v.Pinned), aliases, v.Findings)
		}
		return
	}
	t.Error("the file is not in the corpus")
}
