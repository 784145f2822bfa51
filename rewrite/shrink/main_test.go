package shrink

import (
	"flag"
	"os"
	"runtime/debug"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/golden"
)

// TestMain collects garbage less often: a search leaves much of it behind and keeps little, so
// about a third of the processor time of these tests would go into collecting it.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	if flag.Parse(); !*golden.Audit {
		roundPlans, listWork = []int{6}, []int{30_000} // the laws hold for any work
	}
	os.Exit(m.Run())
}
