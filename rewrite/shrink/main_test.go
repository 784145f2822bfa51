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
		full := standard
		standard = func() *tuning {
			t := full()
			t.rounds, t.polished = t.rounds[:2], 1
			for i := range t.rounds {
				t.rounds[i] = work{listed: 12_000, plans: 2, effort: 1. / 16, states: 600, expanded: 4} // the laws hold for any work
			}
			return t
		}
	}
	os.Exit(m.Run())
}
