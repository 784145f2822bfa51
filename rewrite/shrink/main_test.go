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
		for i := range rounds {
			rounds[i] = work{listed: 30_000, plans: 6, effort: 1. / 16, states: 2500} // the laws hold for any work
		}
	}
	os.Exit(m.Run())
}
