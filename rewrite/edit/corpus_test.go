package edit

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/schema"
)

// Every model of the corpus takes copies of inputs at random places: the file is valid, and
// all that was in it still is.
func TestCorpusApply(t *testing.T) {
	models := 0
	for i, file := range corpus.Models(t) {
		t.Run(file.Name, func(t *testing.T) {
			m := sample.OpenFile(t, file.Path)
			if m == nil {
				return
			}
			if patch.Carries(m) {
				m = modelfile.Parse(t, remove(t, m).Data)
			}
			e := keepAll(m, 0)
			r := rand.New(rand.NewPCG(uint64(i), 0))
			if e.copies(m, r, 10, schema.TensorTypeFLOAT32, schema.TensorTypeINT8, schema.TensorTypeINT16, schema.TensorTypeUINT8, schema.TensorTypeINT32) == 0 {
				return
			}
			result, err := Apply(m, e.Edit, rewrite.Options{})
			if refused := (*patch.RefusedError)(nil); errors.As(err, &refused) {
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			models++
			checkBehind(t, m, result)
			sample.CheckZip(t, m.Data, result.Data)
			if len(e.sub.Operators) < 100 && len(m.Data) < 4<<20 && !testing.Short() {
				checkApplied(t, m, &e.Edit, result)
			}
			again, err := Apply(m, e.Edit, rewrite.Options{})
			if err != nil || !bytes.Equal(again.Data, result.Data) {
				t.Errorf("another file the second time: %v", err)
			}
		})
	}
	if models < 70 {
		t.Errorf("%d models were edited", models)
	}
}
