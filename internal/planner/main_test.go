package planner

import (
	"os"
	"testing"

	"github.com/tflarena/tflarena/internal/app"
)

// TestMain lets searches end after one round: what the page makes of a result does not depend on their
// work.
func TestMain(m *testing.M) {
	app.Rounds = 1
	os.Exit(m.Run())
}
