package planner

import (
	"os"
	"testing"

	"github.com/tflarena/tflarena/internal/app"
)

// TestMain limits searches to one round: the page does not depend on their effort.
func TestMain(m *testing.M) {
	app.Rounds = 1
	os.Exit(m.Run())
}
