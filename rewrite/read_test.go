package rewrite

import (
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/sample"
)

// A plan that cannot be read is an error that names the place and the law.
func TestPlanError(t *testing.T) {
	_, err := ReadPlans(modelfile.Build(t, sample.WithPlan(sample.Chain(), []byte{1, 2, 3})))
	if err == nil || !strings.Contains(err.Error(), "buffers[3] at 0x") || !strings.Contains(err.Error(), "length: ") {
		t.Errorf("error %v", err)
	}
}
