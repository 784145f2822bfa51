package rewrite

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/tflite"
)

// refusedFiles are those whose compilers keep positions where nobody else looks.
var refusedFiles = map[string]bool{
	"corner/simple_add_op_qc_v75_precompiled.tflite": true,
	"corner/precompiled_mediatek_model.tflite":       true,
}

// Every model of the corpus that opens takes a plan, and everything but the plan
// stays: accessor by accessor, and byte for byte where nothing had to move. The same
// plan again changes nothing, and removing it gives the old file back.
func TestCorpus(t *testing.T) {
	rewritten, restored := 0, 0
	for _, file := range corpus.Models(t) {
		t.Run(file.Name, func(t *testing.T) {
			m := sample.OpenFile(t, file.Path)
			if m == nil {
				return
			}
			plan := sample.Naive(t, m)
			r, err := Embed(m, plan, Options{})
			if refusedFiles[file.Name] {
				var refused *RefusedError
				if !errors.As(err, &refused) || !refused.Force {
					t.Fatalf("error %v, want a refusal that force overrides", err)
				}
				r, err = Embed(m, plan, Options{Force: true})
			}
			if err != nil {
				t.Fatal(err)
			}
			rewritten++
			out := modelfile.Parse(t, r.Data)
			checkEmbedded(t, m, out, plan, r)
			sample.CheckZip(t, m.Data, out.Data)
			again, err := Embed(out, plan, Options{})
			if err != nil || again.Method != Unchanged || !bytes.Equal(again.Data, r.Data) {
				t.Fatalf("the same plan again: %v, %v", again, err)
			}
			back := remove(t, out)
			if bytes.Equal(back.Data, m.Data) {
				restored++
			} else if len(patch.PlanEntries(m)) == 0 {
				t.Errorf("%s does not give the old file back", back.Method)
			}
			checkMarked(t, m, plan)
			gone := modelfile.Parse(t, back.Data)
			if len(patch.PlanEntries(gone)) != 0 {
				t.Error("a plan is left")
			}
			sample.SameContent(t, m, gone, 0)
		})
	}
	if rewritten < 100 || restored < rewritten-1 {
		t.Errorf("%d files were rewritten, %d restored", rewritten, restored)
	}
}

// checkMarked embeds the plan with a marker, which goes in front where the plan need not.
func checkMarked(t *testing.T, m *tflite.Model, plan []int32) {
	t.Helper()
	r, err := Embed(m, plan, Options{Marker: diagonal, Force: true})
	if err != nil {
		t.Fatal(err)
	}
	out := modelfile.Parse(t, r.Data)
	sample.SameContent(t, m, out, r.Added)
	if got, err := ReadMarker(out); err != nil || got == nil || *got != *diagonal {
		t.Errorf("marker %v, %v", got, err)
	}
	if back := remove(t, out); !patch.Carries(m) && !bytes.Equal(back.Data, m.Data) {
		t.Errorf("with a marker: %s does not give the old file back", back.Method)
	}
}

func checkEmbedded(t *testing.T, m, out *tflite.Model, plan []int32, r *Result) {
	t.Helper()
	sample.SameContent(t, m, out, r.Added)
	if diff := cmp.Diff(plan, onlyPlan(t, out).Offsets, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("plan (-want +got):\n%s", diff)
	}
	if r.Added%64 != 0 {
		t.Errorf("%d B were added: alignments changed", r.Added)
	}
	changed := 0
	for i := range m.Data {
		if m.Data[i] != r.Data[int64(i)+r.Added] {
			changed++
		}
	}
	most := 0
	if r.Method == InPlace {
		most = planBytes(len(plan))
	}
	for _, range_ := range m.Trailing {
		if range_.Kind == "zip" {
			most += 64
		}
	}
	for _, b := range m.Buffers {
		if b.Outside {
			most += 8
		}
	}
	if changed > most {
		t.Errorf("%d old bytes changed, at most %d should", changed, most)
	}
}

// What other tools' plans in the corpus are like.
func TestCorpusVela(t *testing.T) {
	for _, file := range corpus.Models(t) {
		if file.Name != "micro/person_detect_vela.tflite" {
			continue
		}
		m := sample.OpenFile(t, file.Path)
		p := onlyPlan(t, m)
		if diff := cmp.Diff([]int32{0, -1, -1, 0, 0, 0}, p.Offsets); diff != "" || p.Version != 0 || p.Subgraphs != 1 {
			t.Errorf("plan %+v:\n%s", p, diff)
		}
		r, out := embed(t, m, []int32{0, -1, -1, 16, 32, 48})
		if r.Method != InPlace || onlyPlan(t, out).Version != 1 {
			t.Errorf("replaced %s", r.Method)
		}
		return
	}
	t.Error("the file is not in the corpus")
}

// In every model whose buffers are aligned, they stay so.
func TestCorpusAlignment(t *testing.T) {
	for _, file := range corpus.Models(t) {
		m := sample.OpenFile(t, file.Path)
		if m == nil || refusedFiles[file.Name] {
			continue
		}
		_, out := embed(t, m, sample.Online(m))
		for i, b := range m.Buffers {
			if (b.Offset-out.Buffers[i].Offset)%64 != 0 {
				t.Errorf("%s: buffer %d moved from %d to %d", file.Name, i, b.Offset, out.Buffers[i].Offset)
			}
		}
	}
}
