package main

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/terminal"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// Every command with --time-limit has its default in one table: help shows it, and it is what ends the
// work on an input.
func TestDefaultLimits(t *testing.T) {
	model := write(t, filepath.Join(t.TempDir(), "m.tflite"), encode.Encode(convolutions(2, 4, 4, 2, 1)))
	trace := write(t, filepath.Join(t.TempDir(), "t.csv"), []byte("event,id,size\nalloc,a,5\nfree,a,\n"))
	page := filepath.Join(t.TempDir(), "page.html")
	lines := map[string][]string{
		"analyze": {"analyze MODEL", "analyze MODEL MODEL"}, "compare": {"compare MODEL", "compare MODEL MODEL"},
		"plan": {"plan MODEL"}, "replay": {"replay " + trace}, "report": {"report MODEL -o " + page},
		"rewrite": {"rewrite MODEL -o OUT"}, "fit": {"fit MODEL --least -o OUT"},
		"stream": {"stream MODEL --bandwidth 1M --macs-per-second 1e9 --budget 1M"},
	}
	var begun []time.Duration
	before := byDefault
	defer func() { byDefault = before }()
	byDefault = func(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
		begun = append(begun, d)
		return context.WithCancel(ctx)
	}
	defaults := func(line string) []time.Duration {
		begun = nil
		out := filepath.Join(t.TempDir(), "out.tflite")
		if got := execute(noTerminal(), nil, strings.Fields(strings.NewReplacer("MODEL", model, "OUT", out).Replace(line))...); got.code != exitOK {
			t.Errorf("%s: exit %d: %s", line, got.code, got.stderr)
		}
		return begun
	}
	limited := 0
	for _, c := range newProgram().app().Commands {
		flag := limitFlagOf(c)
		if flag == nil {
			continue
		}
		limited++
		limit, known := defaultLimits[c.Name]
		if !known || flag.DefaultText != limit.help {
			t.Errorf("%s: help says %q, the default is %+v", c.Name, flag.DefaultText, limit)
			continue
		}
		for _, of := range []time.Duration{limit.whole, limit.search} {
			if of > 0 && !strings.HasPrefix(limit.help, of.String()) {
				t.Errorf("%s: help says %q, the default is %s", c.Name, limit.help, of)
			}
		}
		for _, line := range lines[c.Name] {
			inputs := strings.Count(line, "MODEL")
			got := defaults(line)
			if limit.whole == 0 && len(got) > 0 || limit.whole > 0 && (len(got) != inputs || got[0] != limit.whole) {
				t.Errorf("%s: limits %v for %d inputs, want %s for each", line, got, inputs, limit.whole)
			}
		}
	}
	if limited != len(defaultLimits) || limited != len(lines) {
		t.Errorf("%d commands have the flag, and %d a default", limited, len(defaultLimits))
	}
	if got := defaults("plan MODEL --tiles --on-chip 64K"); len(got) != 1 || got[0] != defaultLimits["plan"].search {
		t.Errorf("plan --tiles: limits %v", got)
	}
	for _, line := range []string{"analyze MODEL --time-limit 1h", "compare MODEL --time-limit 1h", "plan MODEL --tiles --on-chip 64K --time-limit 1h"} {
		if got := defaults(line); len(got) > 0 {
			t.Errorf("%s: also %v", line, got)
		}
	}
}

func newProgram() *program {
	return &program{stdin: strings.NewReader(""), stdout: io.Discard, stderr: io.Discard, env: terminal.Env(noTerminal())}
}

// limitFlagOf returns the time limit of a command, or nil.
func limitFlagOf(c *cli.Command) *cli.DurationFlag {
	for _, flag := range c.Flags {
		if f, ok := flag.(*cli.DurationFlag); ok && f.Name == timeLimitFlag {
			return f
		}
	}
	return nil
}

// TestSearchTime: a search for a budget leaves time to explain a missed one, unless there is nothing to explain.
func TestSearchTime(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	end, _ := ctx.Deadline()
	for _, test := range []struct {
		alias rules.Alias
		auto  bool
		macs  float64
		whole bool
	}{
		{alias: rules.DiagonalAlias, macs: -1, whole: true},
		{alias: rules.DiagonalAlias, macs: 0.05},
		{alias: rules.OverwriteAlias, macs: -1},
		{alias: rules.DiagonalAlias, auto: true, macs: -1},
	} {
		f := &fitFlags{}
		f.Budget, f.Alias, f.Auto, f.MaxOverhead = 1, test.alias, test.auto, test.macs
		within, stop := f.searchTime(ctx)
		if at, _ := within.Deadline(); at.Equal(end) != test.whole {
			t.Errorf("%+v: the search ends at %v of %v", test, at, end)
		}
		stop()
	}
}
