package trace

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/alloc/replay"
)

// python returns a Python 3, or leaves the test out.
func python(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("python3")
	if err != nil {
		if os.Getenv("TFLARENA_REQUIRE_ORACLE") == "1" {
			t.Fatal("no python3")
		}
		t.Skip("left out: there is no python3")
	}
	return path
}

// TestSnapshots reads snapshots that Python writes, in all protocols, and compares the figures with
// those of the script.
func TestSnapshots(t *testing.T) {
	python := python(t)
	dir := t.TempDir()
	options := []string{"", "ring", "expandable", "expandable,ring", "devices,ring,annotations", "streams", "unshared,ring", "old,ring", "streams,devices,expandable,ring"}
	early, marks, seed := 0, 0, 0
	for _, option := range options {
		for protocol := range 6 {
			if seed++; testing.Short() && protocol%2 == 1 {
				continue
			}
			path := filepath.Join(dir, fmt.Sprint(seed))
			out, err := exec.Command(python, "testdata/snapshot.py", fmt.Sprint(seed), fmt.Sprint(protocol), option, path).Output()
			if err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			f, err := Read(data, nil)
			if err != nil {
				t.Fatalf("%s, protocol %d: %v", option, protocol, err)
			}
			var want []map[string]int64
			if err := json.Unmarshal(out, &want); err != nil || len(want) != len(f.Devices) {
				t.Fatal(err, len(want), len(f.Devices))
			}
			for k, d := range f.Devices {
				p, err := f.Profile(d, f.Granule)
				if err != nil {
					t.Fatal(err)
				}
				g := p.Figures()
				got := map[string]int64{
					"device": int64(d.Index), "reserved": g.Reserved, "requested": g.Requested, "allocated": g.Allocated, "at_peak": g.AtPeak, "end": g.ReservedEnd,
					"marks": want[k]["marks"],
				}
				if fmt.Sprint(got) != fmt.Sprint(want[k]) {
					t.Errorf("%s, protocol %d, device %d:\n%v, want\n%v", option, protocol, d.Index, got, want[k])
				}
				whole, _, released, _ := p.Residents()
				early += whole + released
				marks += len(d.Marks)
				checkPlan(t, option, f, p, g)
			}
		}
	}
	if early < 50 || marks < 10 {
		t.Errorf("%d blocks from before the trace, %d marks", early, marks)
	}
}

// checkPlan holds the plan and those who waste memory against the figures.
func checkPlan(t *testing.T, option string, f *File, p *replay.Profile, g replay.Figures) {
	t.Helper()
	plan, err := p.Plan(context.Background(), replay.Options{Together: true})
	if err != nil || plan.LowerBound < g.Allocated || !plan.Optimal {
		t.Errorf("%s: a plan of %d bytes and a bound of %d, with %d allocated (%v)", option, plan.Total, plan.LowerBound, g.Allocated, err)
	}
	holders, empty := p.Holders(f.Trace, g.PeakEvent)
	var allocated, wasted int64
	for _, h := range holders {
		allocated, wasted = allocated+h.Allocated, wasted+h.Wasted
		if !strings.HasPrefix(h.Function, "layer") || h.File != "/home/me/train.py" {
			t.Errorf("%s: %+v", option, h)
		}
	}
	var requested int64
	for i := range p.Lives {
		if l := &p.Lives[i]; (l.Early || l.First <= g.PeakEvent) && (l.Late || l.Last >= g.PeakEvent) {
			requested += l.Size
		}
	}
	if allocated != g.AtPeak || wasted+empty != g.Reserved-requested {
		t.Errorf("%s: the holders have %d bytes and waste %d, with %d in segments that are empty: %d were allocated, %d requested of %d", option, allocated, wasted, empty, g.AtPeak, requested, g.Reserved)
	}
}

// TestSnapshotErrors has pickles that are no snapshots, or contradict themselves.
func TestSnapshotErrors(t *testing.T) {
	text := func(s string) string { return "\x8c" + string(rune(len(s))) + s }
	event := func(action string, addr, size int) string {
		return "}(" + text("action") + text(action) + text("addr") + "K" + string([]byte{byte(addr)}) + text("size") + "K" + string([]byte{byte(size)}) + "u"
	}
	traces := func(events ...string) string {
		return "\x80\x04}" + text("device_traces") + "](](" + strings.Join(events, "") + "ees."
	}
	for _, c := range []struct{ name, data, want string }{
		{"cut off", "\x80\x04}", "byte 3: the pickle ends"},
		{"a global", "\x80\x02cos\nsystem\n", "byte 2: opcode 0x63 is refused"},
		{"a number", "\x80\x02K\x05.", "it is an integer"},
		{"another dict", "\x80\x02}.", `neither "segments" nor`},
		{"nothing", traces(), "no events and no segments"},
		{"no event", traces("}"), "is not an event: it has no action"},
		{"no address", traces("}" + text("action") + text("alloc") + "s"), "a alloc has no addr"},
		{"twice", "\x80\x04}" + text("device_traces") + "](](" + event("alloc", 1, 2) + "eq\x00h\x00es.", "in another list"},
		{"no segment", "\x80\x04}" + text("segments") + "]K\x01as.", "a segment is an integer"},
		{"empty segment", "\x80\x04}" + text("segments") + "]}as.", "a segment has no address"},
	} {
		_, err := Read([]byte(c.data), nil)
		if !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
	data := traces(event("alloc", 1, 20), event("free_requested", 1, 20), event("free_completed", 1, 21))
	f, err := Read([]byte(data), nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.Profile(f.Devices[0], f.Granule)
	at := strings.LastIndex(data, "}(")
	if want := fmt.Sprintf("byte %d: block 0x1 is released with 21 B and was requested with 20 B", at); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
