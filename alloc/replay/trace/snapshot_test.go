package trace

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/alloc/replay"
)

// A written snapshot is one of testdata/snapshot.py.
type written struct {
	seed, protocol int
	options        string
}

// snapshots has Python write snapshots, and returns the files and the script's output about each. It
// skips the test without Python 3.
func snapshots(t testing.TB, list []written) (files, said [][]byte) {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		if os.Getenv("TFLARENA_REQUIRE_ORACLE") == "1" {
			t.Fatal("no python3")
		}
		t.Skip("left out: there is no python3")
	}
	dir, args := t.TempDir(), []string{"testdata/snapshot.py"}
	for i, s := range list {
		args = append(args, strconv.Itoa(s.seed), strconv.Itoa(s.protocol), s.options, filepath.Join(dir, strconv.Itoa(i)))
	}
	out, err := exec.Command(python, args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		data, err := os.ReadFile(filepath.Join(dir, strconv.Itoa(i)))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, data)
	}
	return files, bytes.SplitAfterN(out, []byte("\n"), len(list))
}

// TestSnapshots reads snapshots that Python writes, in all protocols, and compares the figures with
// those of the script.
func TestSnapshots(t *testing.T) {
	var list []written
	for k, options := range []string{"", "ring", "expandable", "expandable,ring", "devices,ring,annotations", "streams", "unshared,ring", "old,ring", "streams,devices,expandable,ring"} {
		for protocol := range 6 {
			if !testing.Short() || protocol%2 == 0 {
				list = append(list, written{seed: 6*k + protocol + 1, protocol: protocol, options: options})
			}
		}
	}
	files, said := snapshots(t, list)
	early, marks := 0, 0
	for i, s := range list {
		f, err := Read(files[i], nil)
		if err != nil {
			t.Fatalf("%+v: %v", s, err)
		}
		var want []map[string]int64
		if err := json.Unmarshal(said[i], &want); err != nil || len(want) != len(f.Devices) {
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
				t.Errorf("%+v, device %d:\n%v, want\n%v", s, d.Index, got, want[k])
			}
			whole, _, released, _ := p.Residents()
			early += whole + released
			marks += len(d.Marks)
			checkPlan(t, s.options, f, p, g)
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
