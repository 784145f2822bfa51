package fit

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain collects garbage less often: a search leaves much of it behind and keeps little, so
// about a third of the processor time of these tests would go into collecting it.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
