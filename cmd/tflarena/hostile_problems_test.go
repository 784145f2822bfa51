package main

import (
	"errors"
	"fmt"
	"math/rand"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/testkit/expiry"
	"github.com/tflarena/tflarena/internal/testkit/mutate"
)

// patience is how often a command may ask whether its time is over before it is, and afterwards how often then: no
// clock decides how much it does.
const (
	patience   = 30
	afterwards = 200
)

// A hostileText is a problem or a trace with as many rows, columns and numbers as its draws say.
type hostileText struct {
	*rand.Rand
	rows int
}

// id returns the ID of a row, which may be a name that does harm.
func (h *hostileText) id(i int) string {
	if h.Intn(50) > 0 {
		return fmt.Sprint("t", i)
	}
	name := mutate.Names[h.Intn(len(mutate.Names))]
	return `"` + strings.ReplaceAll(name, `"`, `""`) + fmt.Sprint(i) + `"`
}

// problem returns a CSV problem: alignments that differ, gaps in each row, and pinned rows.
func (h *hostileText) problem() string {
	var b strings.Builder
	b.WriteString("id,lower,upper,size,alignment,gaps\n")
	mostGaps, alignments, span := []int{0, 0, 3, 40}[h.Intn(4)], []int{1, 2, 13, 4096}[h.Intn(4)], []int{3, 100, 100_000}[h.Intn(3)]
	for i := range h.rows {
		from := h.Intn(span)
		to := from + 1 + h.Intn(span)
		var gaps []string
		for at := from + 1; len(gaps) < h.Intn(mostGaps+1) && at+2 < to; at += 2 + h.Intn(1+(to-from)/(mostGaps+1)) {
			gaps = append(gaps, fmt.Sprintf("%d-%d", at, at+1))
		}
		fmt.Fprintf(&b, "%s,%d,%d,%d,%d,%s\n", h.id(i), from, to, 1+h.Intn(1<<h.Intn(30)), 1+h.Intn(alignments), strings.Join(gaps, " "))
	}
	return b.String()
}

// trace returns a CSV trace: of many devices, streams and steps.
func (h *hostileText) trace() string {
	var b strings.Builder
	b.WriteString("event,id,size,device,stream,pool,function\n")
	devices, streams, steps := 1+h.Intn(1<<h.Intn(12)), 1+h.Intn(1<<h.Intn(6)), h.Intn(4)
	var open []string
	for i := range h.rows {
		switch {
		case h.Intn(4) < steps:
			b.WriteString("step,,,,,,\n")
		case len(open) > 0 && h.Intn(3) == 0:
			k := h.Intn(len(open))
			b.WriteString(open[k])
			open = slices.Delete(open, k, k+1)
		default:
			id, device, stream := h.id(i), fmt.Sprint(h.Intn(devices)), fmt.Sprint(h.Intn(streams))
			if h.Intn(4) == 0 {
				device = ""
			}
			fmt.Fprintf(&b, "alloc,%s,%d,%s,%s,,%s\n", id, 1+h.Intn(1<<h.Intn(40)), device, stream, h.id(i%7))
			open = append(open, fmt.Sprintf("free,%s,,%s,%s,,\n", id, device, stream))
		}
	}
	return b.String()
}

// hostileLines are the command lines on a problem, and on a trace.
var hostileLines = map[string][]string{
	"problem.csv": {
		"plan IN", "plan IN -s exact", "plan IN --capacity 64K", "plan IN --align 64 -s greedy-by-size", "plan IN -o lp=-", "plan IN -o svg=-", "plan IN --json", "plan IN -s hill-climb", "compare IN",
	},
	"trace.csv": {"replay IN", "replay IN --json", "replay IN --together", "replay IN --iterations", "replay IN --align 4K"},
}

// attackText runs one command on a problem or a trace.
func attackText(t *testing.T, dir string, seed int64, rows int) {
	t.Helper()
	h := &hostileText{rand.New(rand.NewSource(seed)), rows}
	name, text := "problem.csv", ""
	if h.Intn(2) == 0 {
		text = h.problem()
	} else {
		name, text = "trace.csv", h.trace()
	}
	line := hostileLines[name][h.Intn(len(hostileLines[name]))]
	args := strings.Fields(strings.ReplaceAll(line, "IN", write(t, filepath.Join(dir, name), []byte(text))))
	if err := attemptText(args, len(text)); err != nil {
		t.Errorf("seed %d, %d rows: %s: %v", seed, rows, line, err)
	}
}

func attemptText(args []string, size int) error {
	most := uint64(mostAllocated + 20_000*size)
	ctx := expiry.Interrupted(patience)
	before := allocated()
	got := executeIn(ctx, noTerminal(), nil, args...)
	bytes := allocated() - before
	switch ended := ctx.After() > 0; {
	case strings.Contains(got.stderr, "fault in tflarena"):
		return errors.New(got.stderr)
	case !slices.Contains([]int{exitOK, exitInvalid, exitCheck, exitNoAnswer}, got.code) && !(ended && got.code == exitInterrupted):
		return fmt.Errorf("exit code %d: %s", got.code, got.stderr)
	case ctx.After() > afterwards:
		return fmt.Errorf("it asked %d times more when its time was over", ctx.After())
	case bytes > most:
		return fmt.Errorf("%d B were allocated for %d B", bytes, size)
	case unprintable(got.stderr) != "":
		return errors.New(unprintable(got.stderr))
	case !strings.Contains(strings.Join(args, " "), "=-") && !slices.Contains(args, "--json") && unprintable(got.stdout) != "": // JSON is data
		return errors.New(unprintable(got.stdout))
	}
	return nil
}

// TestHostileTexts runs commands on problems with many alignments and gaps, and on traces of many devices and steps.
func TestHostileTexts(t *testing.T) {
	count := 60
	if testing.Short() {
		count = 12
	}
	dir := t.TempDir()
	for seed := range count {
		attackText(t, dir, int64(seed), 1<<(seed%11))
	}
}

// FuzzTexts is [TestHostileTexts] with draws of a fuzzer.
func FuzzTexts(f *testing.F) {
	for seed := range 20 {
		f.Add(int64(seed), uint16(1<<(seed%9)))
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, seed int64, rows uint16) { attackText(t, dir, seed, int(rows%512)) })
}
