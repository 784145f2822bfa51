package inplace

import (
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/lean"
)

func TestMain(m *testing.M) { lean.Main(m) }
