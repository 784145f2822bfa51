package fit

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain lets garbage wait: a search leaves much of it behind and keeps little, so that a
// quarter of the time of these tests would go into collecting it.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
