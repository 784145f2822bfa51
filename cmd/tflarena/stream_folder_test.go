package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/results"
)

// intoSegments cuts a model for a budget.
func intoSegments(model, dir, budget string) outcome {
	return execute(noTerminal(), nil, "stream", model, "--macs-per-second", "1e9", "--bandwidth", "1MiB", "--budget", budget, "--segments", dir)
}

// streamElements returns the plans that stream printed as JSON.
func streamElements(t *testing.T, got outcome) []results.Stream {
	t.Helper()
	var d struct{ Models []results.Stream }
	if err := json.Unmarshal([]byte(got.stdout), &d); err != nil || len(d.Models) == 0 {
		t.Fatalf("%v: %+v", err, got)
	}
	return d.Models
}

// TestSegmentsOfBudgets cuts a model for several budgets at once: the manifest has a plan for each, which is printed as well,
// with the same files. The smallest one is also in the fields that early manifests have.
func TestSegmentsOfBudgets(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "parts")
	got := execute(noTerminal(), nil, "stream", "builtin:blazeface", "--macs-per-second", "1e9", "--bandwidth", "1MiB", "--segments", dir, "--json",
		"--budget", "64MiB", "--budget", "7500KiB", "--budget", "7600KiB", "--budget", "65536K")
	elements := streamElements(t, got)
	names := listed(t, dir)
	if got.code != exitOK || len(elements) != 3 || !slices.Equal(files(t, dir), names) {
		t.Fatalf("%d plans, files %v: %s", len(elements), names, got.stderr)
	}
	var m results.Manifest
	if err := json.Unmarshal(read(t, filepath.Join(dir, manifestFile)), &m); err != nil {
		t.Fatal(err)
	}
	var order []int
	for i, s := range m.Segments {
		if !s.Resident {
			order = append(order, i+1)
		}
	}
	if m.BudgetBytes != m.Plans[0].BudgetBytes || m.PeakBytes != m.Plans[0].PeakBytes || m.LatencyMS != m.Plans[0].LatencyMS || !slices.Equal(order, m.LoadOrder) {
		t.Errorf("the manifest has %+v, and its first plan %+v", m, m.Plans[0])
	}
	for i, e := range elements {
		p := m.Plans[i]
		resident := len(m.Segments) - len(p.Loads)
		if e.Segments != len(m.Segments) || p.BudgetBytes != e.BudgetBytes || p.PeakBytes != e.PeakBytes || p.LatencyMS != e.LatencyMS || len(e.Resident) != resident || e.OwnLatencyMS == 0 {
			t.Errorf("printed %+v, written %+v", e, p)
		}
		if p.PeakBytes > p.BudgetBytes || i > 0 && (p.BudgetBytes <= m.Plans[i-1].BudgetBytes || p.LatencyMS > m.Plans[i-1].LatencyMS) {
			t.Errorf("%+v after %+v", p, m.Plans[max(i-1, 0)])
		}
		var read int64
		for _, load := range p.Loads {
			read += m.Segments[load.Segment-1].Bytes
			if i == 0 && load.WaitsFor != m.Segments[load.Segment-1].WaitsFor {
				t.Errorf("%+v in a plan, %+v in the manifest", load, m.Segments[load.Segment-1])
			}
		}
		if read != p.ReadBytes {
			t.Errorf("%d bytes are read, want %d", p.ReadBytes, read)
		}
	}
	if m.Plans[0].ReadBytes == m.Plans[2].ReadBytes {
		t.Error("the plans do not differ")
	}
}

// listed returns the files of a folder's manifest, all of which have to be there as it says, and the manifest itself.
func listed(t *testing.T, dir string) (names []string) {
	t.Helper()
	var m results.Manifest
	if err := json.Unmarshal(read(t, filepath.Join(dir, manifestFile)), &m); err != nil {
		t.Fatal(err)
	}
	for _, s := range m.Segments {
		data := read(t, filepath.Join(dir, s.File))
		if sum := sha256.Sum256(data); int64(len(data)) != s.Bytes || hex.EncodeToString(sum[:]) != s.SHA256 {
			t.Errorf("%s is not the file of the manifest", s.File)
		}
		names = append(names, s.File)
	}
	names = append(names, manifestFile)
	slices.Sort(names)
	return names
}

// TestSegmentsFolder cuts a model repeatedly into one folder: files that only the previous manifest
// lists are removed, and all others stay.
func TestSegmentsFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "parts")
	var before []string
	seen := map[int]bool{}
	for i, budget := range []string{"64MiB", "7500KiB", "64MiB", "7500KiB", "7500KiB"} {
		if got := intoSegments("builtin:blazeface", dir, budget); got.code != exitOK {
			t.Fatalf("%+v", got)
		}
		others := []string{"segment-0001.tflite", "segment-0099-00000000.tflite", "words.txt"}
		now := listed(t, dir)
		seen[len(now)] = true
		want := now
		if i > 0 {
			want = append(slices.Clone(now), others...)
			slices.Sort(want)
		}
		if got := files(t, dir); !slices.Equal(got, want) {
			t.Errorf("budget %s: the folder has %v, want %v", budget, got, want)
		}
		if i == 4 && !slices.Equal(now, before) {
			t.Errorf("the same plan has other files: %v and %v", before, now)
		}
		before = now
		for _, name := range others {
			write(t, filepath.Join(dir, name), nil)
		}
		if got := execute(noTerminal(), nil, "analyze", filepath.Join(dir, now[len(now)-1]), "--runtime", "litert"); got.code != exitOK {
			t.Errorf("%+v", got)
		}
	}
	if len(seen) < 2 {
		t.Errorf("both budgets have %v files", seen)
	}
}

// TestSegmentsForeign has folders with another program's manifest: nothing is written or removed.
func TestSegmentsForeign(t *testing.T) {
	for name, data := range map[string]string{
		"another program's": `{"name": "a web application", "manifest_version": 3}`,
		"no JSON":           "manifest",
		"empty":             "",
		"outside":           `{"manifest_version": 1, "model_sha256": "0", "segments": [{"file": "../model.tflite"}]}`,
		"other names":       `{"manifest_version": 1, "model_sha256": "0", "segments": [{"file": "words.txt"}]}`,
		"newer":             `{"manifest_version": 2, "model_sha256": "0", "segments": [{"file": "segment-0001.tflite"}]}`,
	} {
		dir := t.TempDir()
		write(t, filepath.Join(dir, manifestFile), []byte(data))
		write(t, filepath.Join(dir, "words.txt"), nil)
		got := intoSegments("builtin:blazeface", dir, "64MiB")
		if got.code != exitUsage || !strings.Contains(got.stderr, "manifest.json") {
			t.Errorf("%s: %+v", name, got)
		}
		if left := files(t, dir); len(left) != 2 || string(read(t, filepath.Join(dir, manifestFile))) != data {
			t.Errorf("%s: the folder has %v", name, left)
		}
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, manifestFile), 0o700); err != nil {
		t.Fatal(err)
	}
	if got := intoSegments("builtin:blazeface", dir, "64MiB"); got.code != exitUsage || len(files(t, dir)) != 1 {
		t.Errorf("%+v", got)
	}
}

// TestSegmentsOfSegment cuts a segment in the folder in which it lies: it is the input, and is not removed.
func TestSegmentsOfSegment(t *testing.T) {
	dir := t.TempDir()
	if got := intoSegments("builtin:blazeface", dir, "7500KiB"); got.code != exitOK {
		t.Fatalf("%+v", got)
	}
	before := listed(t, dir)
	got := intoSegments(filepath.Join(dir, before[len(before)-1]), dir, "64MiB")
	if got.code != exitUsage || !strings.Contains(got.stderr, "overwrite") || !slices.Equal(listed(t, dir), before) {
		t.Errorf("%+v", got)
	}
}
