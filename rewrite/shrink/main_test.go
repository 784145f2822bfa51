package shrink

import (
	"flag"
	"os"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/internal/testkit/lean"
)

// complete returns the tuning of searches outside of tests.
var complete = standard

// TestMain limits searches, unless all of their work is asked for.
func TestMain(m *testing.M) {
	lean.Runtime()
	if flag.Parse(); !*golden.Audit {
		standard = func() *tuning {
			t := complete()
			t.rounds, t.polished, t.outlook = t.rounds[:2], 1, 12_000
			for i := range t.rounds {
				t.rounds[i] = work{listed: 12_000, plans: 2, effort: 1. / 16, states: 600, expanded: 4} // the laws hold for any work
			}
			return t
		}
	}
	os.Exit(m.Run())
}
