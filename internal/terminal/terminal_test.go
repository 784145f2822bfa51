package terminal

import (
	"bytes"
	"strings"
	"testing"
)

// env returns an environment of variables in which every stream is a terminal of
// the given width, or none is when width is negative.
func env(width int, variables map[string]string) Env {
	return Env{
		Getenv:     func(name string) string { return variables[name] },
		IsTerminal: func(any) bool { return width >= 0 },
		Columns:    func(any) int { return width },
	}
}

func TestColor(t *testing.T) {
	for _, c := range []struct {
		mode      string
		terminal  bool
		variables map[string]string
		want      bool
	}{
		{"auto", true, nil, true},
		{"auto", false, nil, false},
		{"", true, nil, true},
		{"always", false, map[string]string{"NO_COLOR": "1"}, true},
		{"never", true, map[string]string{"FORCE_COLOR": "1"}, false},
		{"auto", false, map[string]string{"FORCE_COLOR": "1", "NO_COLOR": "1"}, true},
		{"auto", false, map[string]string{"CLICOLOR_FORCE": "1", "TERM": "dumb"}, true},
		{"auto", true, map[string]string{"FORCE_COLOR": "0", "NO_COLOR": "1"}, false},
		{"auto", true, map[string]string{"NO_COLOR": "1"}, false},
		{"auto", true, map[string]string{"TERM": "dumb"}, false},
		{"auto", true, map[string]string{"TERM": "xterm"}, true},
	} {
		width := -1
		if c.terminal {
			width = 80
		}
		got, err := env(width, c.variables).Color(c.mode, &bytes.Buffer{})
		if err != nil || got != c.want {
			t.Errorf("%+v: got %v, %v", c, got, err)
		}
	}
	if _, err := env(80, nil).Color("sometimes", &bytes.Buffer{}); err == nil {
		t.Error("an unknown mode was accepted")
	}
}

func TestWidth(t *testing.T) {
	for _, c := range []struct {
		terminal int
		columns  string
		want     int
	}{
		{120, "", 120}, {120, "60", 120}, {0, "60", 60}, {-1, "60", 60}, {-1, "", 100}, {-1, "wide", 100}, {3, "", 40},
	} {
		if got := env(c.terminal, map[string]string{"COLUMNS": c.columns}).Width(&bytes.Buffer{}); got != c.want {
			t.Errorf("%+v: got %d", c, got)
		}
	}
}

func TestSystemBuffersAreNoTerminals(t *testing.T) {
	e := System()
	if e.IsTerminal(&bytes.Buffer{}) || e.Columns(&bytes.Buffer{}) != 0 {
		t.Error("a buffer is taken for a terminal")
	}
}

func TestPalette(t *testing.T) {
	if got := NewPalette(false).Peak("x"); got != "x" {
		t.Errorf("%q", got)
	}
	if got := NewPalette(true).Peak("x"); !strings.Contains(got, "\x1b[") || !strings.Contains(got, "x") {
		t.Errorf("%q", got)
	}
}
