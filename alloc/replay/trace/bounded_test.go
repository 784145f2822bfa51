package trace

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/alloc/replay"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
)

// readBounded reads a trace, and fails if that takes far more memory than the file.
func readBounded(t *testing.T, name string, data []byte) (*File, error) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f, err := Read(data, nil)
	runtime.ReadMemStats(&after)
	if bytes, most := after.TotalAlloc-before.TotalAlloc, uint64(1<<20+200*len(data)); bytes > most {
		t.Errorf("%s: %d B allocated for a file of %d B, want at most %d", name, bytes, len(data), most)
	}
	return f, err
}

// A reference to a container takes two bytes of a snapshot, however much the container holds: none is
// read each time that something refers to it.
func TestSharedContainers(t *testing.T) {
	const many = 4000
	text := func(s string) string { return "\x8c" + string(rune(len(s))) + s }
	memo := func(s string, k byte) string { return s + "q" + string([]byte{k}) }
	get := func(k byte) string { return strings.Repeat("h"+string([]byte{k}), many) }
	dict := func(pairs ...string) string { return "}(" + strings.Join(pairs, "") + "u" }
	list := func(items string) string { return "](" + items + "e" }
	block := memo(dict(text("size"), "K\x01", text("state"), text("active_allocated")), 1)
	segment := func(blocks string) string {
		return dict(text("address"), "K\x01", text("total_size"), "K\x08", text("blocks"), blocks)
	}
	distinct := list(strings.Repeat(dict(text("size"), "K\x01", text("state"), text("active_allocated")), 200))
	file := func(key, items string) []byte { return []byte("\x80\x04" + dict(text(key), list(items)) + ".") }
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"a block in many places":        {file("segments", segment(list(block+get(1)))), "has it twice"},
		"blocks of many segments":       {file("segments", segment(memo(distinct, 2))+strings.Repeat(segment("h\x02"), many)), "the blocks of another segment"},
		"a segment in many places":      {file("segments", memo(segment(distinct), 2)+get(2)), "this segment twice"},
		"block by block, many segments": {file("segments", segment(list(block))+strings.Repeat(segment(list("h\x01")), many)), "two segments have this block"},
	} {
		if _, err := readBounded(t, name, c.data); !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	found, err := os.ReadFile(filepath.Join(corpus.Dir(t), "found", "second", "laugh1.pickle"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := readBounded(t, "laugh1", found); !errors.Is(err, ErrInvalid) {
		t.Errorf("laugh1: %v", err)
	}
}

// Events without a device take no more memory if there are many devices, and mean the same.
func TestManyDevices(t *testing.T) {
	var b strings.Builder
	b.WriteString("event,id,size,device\n")
	for d := range maxDevices {
		fmt.Fprintf(&b, "alloc,%d,1,%d\n", d, d)
	}
	b.WriteString(strings.Repeat("step,,,\ninterrupt,,,\nresume,,,\n", 10_000))
	b.WriteString("free,7,1,7\n")
	f, err := readBounded(t, "many devices", []byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Devices) != maxDevices {
		t.Fatalf("%d devices", len(f.Devices))
	}
	for k, d := range f.Devices {
		want := []replay.Kind{replay.Alloc, replay.Step, replay.Resume}
		if k == 7 {
			want = append(want, replay.Free)
		}
		var got []replay.Kind
		for _, e := range d.Events {
			got = append(got, e.Kind)
		}
		if d.Index != k || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("device %d: %v, want %v", d.Index, got, want)
		}
	}
}
