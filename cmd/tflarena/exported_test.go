package main

import (
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/lifetime"
)

// cFile is what a file of C says: its numbers by name, without the name of the model,
// and the numbers of its array, or of the entries of its plan.
type cFile struct {
	text    []byte
	defines map[string]int64
	array   []int64
}

var (
	cDefine  = regexp.MustCompile(`(?m)^#define (\S+) (-?\d+)(?: /\*.*\*/)?$`)
	cArray   = regexp.MustCompile(`(?s)_offline_memory_allocation\[(\d+)\] = \{(.*?)\};`)
	cEntries = regexp.MustCompile(`(?s)_buffer_plan = \{\s+(\d+),\s+\{(.*)\n  \}\n\};`)
	cNumber  = regexp.MustCompile(`-?\d+`)
	cGuard   = regexp.MustCompile(`(?m)^#ifndef (\S+)_(?:MEMORY|BUFFER)_PLAN_H_$`)
)

// readC reads a header back.
func readC(t *testing.T, data []byte) cFile {
	t.Helper()
	guard := cGuard.FindSubmatch(data)
	if guard == nil {
		t.Fatalf("no include guard:\n%s", data)
	}
	f := cFile{text: data, defines: map[string]int64{}}
	for _, m := range cDefine.FindAllSubmatch(data, -1) {
		key, ok := strings.CutPrefix(string(m[1]), string(guard[1])+"_")
		if _, twice := f.defines[key]; !ok || twice {
			t.Fatalf("#define %s, in the header of %s", m[1], guard[1])
		}
		f.defines[key] = number(t, string(m[2]))
	}
	list := cArray.FindSubmatch(data)
	if list == nil {
		list = cEntries.FindSubmatch(data)
	}
	if list == nil {
		t.Fatalf("no array:\n%s", data)
	}
	for _, n := range cNumber.FindAll(list[2], -1) {
		f.array = append(f.array, number(t, string(n)))
	}
	switch length := number(t, string(list[1])); {
	case length == int64(len(f.array)):
	case length == 0 && len(f.array) == 1: // C has no arrays of length zero
		f.array = nil
	default:
		t.Fatalf("%d numbers in an array of %d:\n%s", len(f.array), length, data)
	}
	return f
}

// count returns how many names begin so.
func (f cFile) count(prefix string) (n int) {
	for key := range f.defines {
		if strings.HasPrefix(key, prefix) {
			n++
		}
	}
	return n
}

// offsetName returns what C calls the offset of a tensor; scratch has none.
func offsetName(id string) (name string, ok bool) {
	return "OFFSET_" + strings.ReplaceAll(id, ":", "_"), !strings.HasPrefix(id, "scratch:")
}

// readCSV returns the rows after the header.
func readCSV(t *testing.T, data []byte) [][]string {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil || len(rows) == 0 || rows[0][0] != "id" {
		t.Fatalf("%v: %v", err, rows)
	}
	return rows[1:]
}

var pictured = regexp.MustCompile(`^(\S+)(?s:.*)\n.* at (0x[0-9a-f]+)\.\.(0x[0-9a-f]+)\noperators -?\d+ to -?\d+$`)

// readPicture returns the address of each tensor that the picture names.
func readPicture(t *testing.T, data []byte) map[string]int64 {
	t.Helper()
	found := map[string]int64{}
	d := xml.NewDecoder(bytes.NewReader(data))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return found
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, data)
		}
		start, ok := token.(xml.StartElement)
		if !ok || start.Name.Local != "title" {
			continue
		}
		var text string
		if err := d.DecodeElement(&text, &start); err != nil {
			t.Fatal(err)
		}
		if m := pictured.FindStringSubmatch(text); m != nil {
			if _, twice := found[m[1]]; twice {
				t.Fatalf("%s is drawn twice", m[1])
			}
			found[m[1]] = number(t, m[2])
		}
	}
}

func number(t *testing.T, text string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(text, 0, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// clash returns which two tensors hold a byte in common at some position, unless one takes
// over the other, or is written over it, and they lie as that says. It goes through positions one by one,
// and shares no code with the checker.
func clash(list []lifetime.Placed, takeovers []lifetime.Takeover, overlaps []lifetime.Overlap) string {
	permitted := func(i, j, position int) bool {
		for _, o := range overlaps {
			if (o.From == i && o.To == j || o.From == j && o.To == i) && position == o.At && list[o.From].At-list[o.To].At >= o.Distance {
				return true
			}
		}
		for _, k := range takeovers {
			if k.From == i && k.To == j && list[j].At-list[i].At == k.Offset || k.From == j && k.To == i && list[i].At-list[j].At == k.Offset {
				return true
			}
		}
		return false
	}
	for j, b := range list {
		for i, a := range list[:j] {
			if a.At+a.Size <= b.At || b.At+b.Size <= a.At {
				continue
			}
			for p := max(a.First, b.First); p <= min(a.Last, b.Last); p++ {
				from, to := holds(a, p)
				low, high := holds(b, p)
				if max(from, low) < min(to, high) && !permitted(i, j, p) {
					return fmt.Sprintf("at position %d %s holds [%d, %d) and %s [%d, %d)", p, a.ID, from, to, b.ID, low, high)
				}
			}
		}
	}
	return ""
}

// holds returns the addresses of the bytes that a tensor holds at a position of its life.
func holds(p lifetime.Placed, position int) (from, to int64) {
	for _, g := range p.Gaps {
		if g.First <= position && position <= g.Last {
			return p.At + g.Lo, p.At + g.Hi
		}
	}
	return p.At, p.At + p.Size
}

func TestClash(t *testing.T) {
	a := lifetime.Placed{Record: lifetime.Record{ID: "a", First: 0, Last: 2, Size: 32}, At: 16}
	b := lifetime.Placed{Record: lifetime.Record{ID: "b", First: 2, Last: 3, Size: 16}, At: 32}
	c := lifetime.Placed{Record: lifetime.Record{ID: "c", First: 3, Last: 4, Size: 64}, At: 48}
	if clash([]lifetime.Placed{a, b}, nil, nil) == "" {
		t.Error("a clash is not seen")
	}
	if text := clash([]lifetime.Placed{a, b, c}, []lifetime.Takeover{{From: 0, To: 1, Offset: 16}}, nil); text != "" {
		t.Error(text)
	}
	if text := clash([]lifetime.Placed{b, a}, []lifetime.Takeover{{From: 1, To: 0, Offset: 16}}, nil); text != "" {
		t.Error(text)
	}
	if clash([]lifetime.Placed{a, b}, []lifetime.Takeover{{From: 0, To: 1, Offset: 0}}, nil) == "" {
		t.Error("a takeover at another distance permits it")
	}
	a.Gaps = []lifetime.Gap{{First: 2, Last: 2, Lo: 0, Hi: 16}}
	if text := clash([]lifetime.Placed{a, b}, nil, nil); text != "" {
		t.Error(text)
	}
}
