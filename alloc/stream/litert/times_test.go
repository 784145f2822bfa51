package litert

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tflarena/tflarena/internal/testkit/builtin"
)

// TestReadTimes reads a row for each operator, and describes errors of others.
func TestReadTimes(t *testing.T) {
	m := builtin.Model(t, "blazeface")
	var rows strings.Builder
	for i := len(m.Subgraphs[0].Operators) - 1; i >= 0; i-- {
		fmt.Fprintf(&rows, "x,%d,%d.5\n", i, i)
	}
	times, err := ReadTimes([]byte("name, operator,compute_ms\n"+rows.String()), m)
	if err != nil || times[3] != 3500*time.Microsecond {
		t.Fatalf("%v, %v", times[3], err)
	}
	net, err := Layers(m, Rates{Bytes: 1, Compute: times}, nil)
	if err != nil || net.Layers[4].Compute != times[3] {
		t.Errorf("%v", err)
	}
	for text, want := range map[string]string{
		"":                                        "the file is empty",
		"operator\n":                              `no column "compute_ms"`,
		"operator,compute_ms\n0,1\n":              "operator 1 has no row",
		"operator,compute_ms\n0,1\n0,1\n":         "line 3: operator 0 has a row already",
		"operator,compute_ms\n-1,1\n":             `line 2: operator "-1"`,
		"operator,compute_ms\n0,-1\n":             `line 2: compute_ms "-1" is not a number of milliseconds`,
		"operator,compute_ms\n0,NaN\n":            `compute_ms "NaN"`,
		"operator,compute_ms\n0,1e10\n":           `compute_ms "1e10"`,
		"operator,compute_ms\n0,1,2\n":            "wrong number of fields",
		"# by hand\noperator,compute_ms\n99999,1": `operator "99999"`,
	} {
		if _, err := ReadTimes([]byte(text), m); err == nil || !errors.Is(err, ErrTimes) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// FuzzReadTimes wants an error or a time for each operator.
func FuzzReadTimes(f *testing.F) {
	f.Add([]byte("operator,compute_ms\n0,1\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		m := builtin.Model(t, "blazeface")
		times, err := ReadTimes(data, m)
		if err == nil && len(times) != len(m.Subgraphs[0].Operators) {
			t.Fatalf("%d times", len(times))
		}
		if err != nil && !errors.Is(err, ErrTimes) {
			t.Fatal(err)
		}
	})
}
