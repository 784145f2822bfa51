package planner

import (
	"testing"

	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/testkit/lean"
)

// TestMain limits searches to one round: the page does not depend on their effort.
func TestMain(m *testing.M) {
	app.Rounds = 1
	lean.Main(m)
}
