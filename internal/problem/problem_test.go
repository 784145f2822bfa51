package problem

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/lifetime"
)

func TestParse(t *testing.T) {
	record := lifetime.Record{ID: "a", First: 3, Last: 8, Size: 4, Align: 1}
	aligned, pinned := record, record
	aligned.Align = 16
	pinned.Pinned, pinned.Offset = true, 32
	gap, window, before := record, record, record
	gap.Gaps = []lifetime.Gap{{First: 5, Last: 6}}
	window.Gaps = []lifetime.Gap{{First: 3, Last: 4, Lo: 1, Hi: 4}, {First: 5, Last: 8}}
	before.First = -9
	before.Gaps = []lifetime.Gap{{First: -9, Last: -8}, {First: -5, Last: -2, Lo: 2, Hi: 2}, {First: -1, Last: 1}}
	for text, want := range map[string]lifetime.Record{
		"id,lower,upper,size\na,3,9,4\n":                            record,
		"id,lower,upper,size\na,3,9,4":                              record,
		"id,lower,upper,size\r\na,3,9,4\r\n":                        record,
		"\xef\xbb\xbfid,lower,upper,size\na,3,9,4\n":                record,
		"size,end,start,buffer\n4,8,3,a\n":                          record,
		"Buffer_ID, begin ,UPPER,size\na, 3 ,9,4\n":                 record,
		"id,lower,upper,size,hint\na,3,9,4,-1\n":                    record,
		"id,lower,upper,size,gaps\na,3,9,4,\n":                      record,
		"id,lower,upper,size,gaps\na,3,9,4,5-7\n":                   gap,
		"id,gaps,lower,end,size\na,5-6,3,8,4\n":                     gap,
		"id,gaps,lower,end,size\na,5-6@0:0,3,8,4\n":                 gap,
		"id,lower,upper,size,offset\na,3,9,4,\n":                    record,
		"gaps,id,lower,upper,size\n5-9 3-5@1:4,a,3,9,4\n":           window,
		"gaps,id,lower,end,size\n  3-4@1:4   5-8 ,a,3,8,4\n":        window,
		"gaps,id,lower,upper,size\n-9--7 -5--1@2:2 -1-2,a,-9,9,4\n": before,
		"id,lower,upper,size,offset\na,3,9,4,32\n":                  pinned,
		"id,lower,upper,size,alignment\na,3,9,4,16\n":               aligned,
		"\n\nid,lower,upper,size\n\n\"a\",3,9,\"4\"\n\n":            record,
	} {
		p, err := Parse([]byte(text))
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if diff := cmp.Diff([]lifetime.Record{want}, p.Records); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	const head = "id,lower,upper,size\n"
	const gapped = "id,lower,upper,size,gaps\na,3,9,4,"
	for _, c := range []struct{ text, want string }{
		{"", "the file is empty"},
		{"\n\n", "the file is empty"},
		{"id,lower,size\n", "header (line 1): no column upper (or end)"},
		{"a,b\n", "no column id (or buffer, buffer_id), lower (or begin, start), upper (or end), size"},
		{"id,buffer,lower,upper,size\n", `header (line 1), column "buffer": means the same as column "id"`},
		{"id,lower,upper,end,size\n", "keep one of them"},
		{head + "a,3,9\n", "row 1 (line 2): 3 cells, but the header has 4"},
		{head + "a,3,9,4\nb,3,x,4\n", `row 2 (line 3), column "upper": "x" is not a whole number`},
		{head + "a,3,9,4\nb,3,9,4\n\na,1,2,4\n", `row 3 (line 5), column "id": "a" is the name of the row in line 2`},
		{head + "\na,3,9,\n", `row 1 (line 3), column "size": "" is not a whole number`},
		{head + "a,3,9,-4\n", `column "size": -4 is not between`},
		{head + "a,3,3,4\n", `column "upper": 3 is not after the beginning 3`},
		{head + "a,3,99999999999999999999,4\n", "does not fit in 64 bits"},
		{head + "a,-9223372036854775808,9,4\n", "is not between"},
		{"id,lower,end,size\na,3,2,4\n", `column "end": 2 is before the beginning 3`},
		{gapped + "5\n", `row 1 (line 2), column "gaps": "5" is not a gap: write FROM-TO or FROM-TO@LOW:HIGH, with whole numbers`},
		{gapped + "5-\n", `"5-" is not a gap`},
		{gapped + "-5\n", `"-5" is not a gap`},
		{gapped + "-\n", `"-" is not a gap`},
		{gapped + "@\n", `"@" is not a gap`},
		{gapped + "5-6@\n", `"5-6@" is not a gap`},
		{gapped + "5-6@1\n", `"5-6@1" is not a gap`},
		{gapped + "5-6@1:2@3\n", `is not a gap`},
		{gapped + "5-6;7-8\n", `is not a gap`},
		{gapped + "5-99999999999999999999\n", `is not a gap`},
		{gapped + "5-5\n", `the gap "5-5" is empty`},
		{gapped + "5--9223372036854775808\n", `is empty`},
		{"id,lower,end,size,gaps\na,3,9,4,6-5\n", `the gap "6-5" is empty`},
		{gapped + "2-5\n", `the gap "2-5" is not within the buffer's life [3, 9)`},
		{gapped + "5-10\n", `is not within`},
		{"id,lower,end,size,gaps\na,3,9,4,5-10\n", `the gap "5-10" is not within the buffer's life 3 to 9`},
		{gapped + "5-6@0:5\n", `the gap "5-6@0:5" holds bytes that are not within the buffer's 4`},
		{gapped + "5-6@-1:3\n", `not within the buffer's 4`},
		{gapped + "5-6@3:2\n", `not within the buffer's 4`},
		{gapped + "3-4 6-8 4-7\n", "the gaps that begin at 4 and 6 overlap"},
		{"id,lower,upper,size,alignment\na,3,9,4,0\n", `column "alignment": 0 is not between 1`},
		{"id,lower,upper,size,offset\na,3,9,4,-1\n", `column "offset": -1 is not between 0`},
		{"id,lower,upper,size,alignment,offset\na,3,9,4,16,8\n", "not a multiple of the alignment 16"},
		{head + "a\"b,3,9,4\n", "row 1 (line 2): bare"},
	} {
		_, err := Parse([]byte(c.text))
		if !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
}

func TestUnusedColumnsAreNamed(t *testing.T) {
	p, err := Parse([]byte("id,name,lower,upper,size\na,x,3,9,4\n"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"name"}, p.Unused); diff != "" {
		t.Error(diff)
	}
}

func TestWithOffsetsKeepsTheText(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"id,lower,upper,size\n007, 3,9,04\n", "id,lower,upper,size,offset\n007, 3,9,04,64\n"},
		{"id,lower,upper,size\r\n\"a\",3,9,4\r\n", "id,lower,upper,size,offset\r\n\"a\",3,9,4,64\r\n"},
		{"id,lower,upper,size\na,3,9,4", "id,lower,upper,size,offset\na,3,9,4,64\n"},
		{"id,offset,lower,upper,size\na,,3,9,4\n", "id,offset,lower,upper,size\na,64,3,9,4\n"},
		{"id,lower,upper,size,offset\n\n\"a\nb\",3,9,4,\"64\"\n", "id,lower,upper,size,offset\n\"a\nb\",3,9,4,64\n"},
		{"id,lower,upper,size,gaps\na,3,9,4, 5-6@1:2  3-4 \n", "id,lower,upper,size,gaps,offset\na,3,9,4, 5-6@1:2  3-4 ,64\n"},
		{"\xef\xbb\xbfid,lower,upper,size,offset,hint\n\"x\n,y\",3,9,4,,-1\n", "\xef\xbb\xbfid,lower,upper,size,offset,hint\n\"x\n,y\",3,9,4,64,-1\n"},
	} {
		p, err := Parse([]byte(c.text))
		if err != nil {
			t.Fatalf("%q: %v", c.text, err)
		}
		got, err := p.WithOffsets([]int64{64})
		if err != nil {
			t.Fatalf("%q: %v", c.text, err)
		}
		if diff := cmp.Diff(c.want, string(got)); diff != "" {
			t.Errorf("%q: %s", c.text, diff)
		}
	}
	p, _ := Parse([]byte("id,lower,upper,size\na,3,9,4\n"))
	if _, err := p.WithOffsets(nil); err == nil {
		t.Error("a wrong number of offsets was accepted")
	}
}

// WithOffsets writes the same problem with every record pinned.
func TestWithOffsetsReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 5).Draw(t, "rows")
		text := "size,lower,gaps,id,end\n"
		var offsets []int64
		for i := range n {
			lower := rapid.IntRange(-5, 5).Draw(t, "lower")
			end := lower + rapid.IntRange(0, 5).Draw(t, "length")
			gap := fmt.Sprintf("%d-%d%s", lower, rapid.IntRange(lower, end).Draw(t, "gap"), rapid.SampledFrom([]string{"", "@0:9", "@4:4"}).Draw(t, "window"))
			text += fmt.Sprintf("%d,%d,%s,%q,%d\n", rapid.IntRange(9, 99).Draw(t, "size"), lower, gap,
				rapid.SampledFrom([]string{"a", "b,c", "d\n", "é"}).Draw(t, "id")+fmt.Sprint(i), end)
			offsets = append(offsets, rapid.Int64Range(0, 1<<40).Draw(t, "offset"))
		}
		checkReadsBack(t, strings.ReplaceAll(text, `\n`, "\n"), offsets)
	})
}

func checkReadsBack(t interface {
	Fatalf(string, ...any)
}, text string, offsets []int64,
) {
	p, err := Parse([]byte(text))
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	written, err := p.WithOffsets(offsets)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	again, err := Parse(written)
	if err != nil {
		t.Fatalf("%q: %v", written, err)
	}
	want := p.Records
	for i := range want {
		want[i].Pinned, want[i].Offset = true, offsets[i]
	}
	if diff := cmp.Diff(want, again.Records); diff != "" {
		t.Fatalf("%q: %s", written, diff)
	}
}

func TestLooksLike(t *testing.T) {
	for text, want := range map[string]bool{
		"id,lower,upper,size\n1,2,3,4\n":       true,
		"\xef\xbb\xbf\"size\",end,start,x\r\n": true,
		"name,size\n":                          true,
		"version https://git-lfs":              false,
		"hello, world\n":                       false,
		"":                                     false,
		"\x1c\x00\x00\x00TFL3,size,id\n":       false,
		"\x1c\x00\x00\x00,size,id\n":           false,
	} {
		if got := LooksLike([]byte(text)); got != want {
			t.Errorf("LooksLike(%q) = %v", text, got)
		}
	}
}

// Every shared CSV problem reads, and its records are ones that planners accept.
func TestCorpus(t *testing.T) {
	dir := corpus.Dir(t)
	files, _ := filepath.Glob(filepath.Join(dir, "dsa-benchmarks", "*", "*.csv"))
	records, _ := filepath.Glob(filepath.Join(dir, "models", "paper_records", "*.csv"))
	files = append(files, records...)
	if len(files) < 20 {
		t.Fatalf("only %d problems found", len(files))
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		p, err := Parse(data)
		if err != nil || !LooksLike(data) || len(p.Records) != strings.Count(strings.TrimSpace(string(data)), "\n") {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if err := lifetime.CheckRecords(p.Records); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("id,lower,upper,size\na,3,9,4\n"))
	f.Add([]byte("\xef\xbb\xbfid,lower,end,size,alignment,offset,gaps,hint\r\n\"a\r\nb\",-3,9,4,16,32,,-1\r\n"))
	f.Add([]byte("id,offset,lower,upper,size\n\"\",\"7\n\",3,9,4\n"))
	f.Add([]byte("id,end,lower,size\n\r,0,0,0\n"))
	f.Add([]byte("id,lower,upper,size,known_at\na,3,9,4,\nb,4,5,2,-1\n"))
	f.Add([]byte("id,lower,upper,width,height,depth\na,3,9,4,5,6\nb,4,5,2,1,1\n"))
	f.Add([]byte("gaps,id,upper,lower,size\n-3--1@0:4 2-5,a,9,-4,8\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Parse(data)
		if err != nil {
			if !errors.Is(err, ErrInvalid) {
				t.Fatalf("%v is not an Error", err)
			}
			return
		}
		for _, r := range p.Records {
			// The sum of all sizes may be too large; one row alone is fine.
			if err := lifetime.CheckRecords([]lifetime.Record{r}); err != nil && r.Size+r.Align <= lifetime.MaxTotal {
				t.Fatalf("%q: %v", data, err)
			}
		}
		offsets := make([]int64, len(p.Records))
		for i, r := range p.Records {
			offsets[i] = max(r.Align, 1) * int64(i)
			if offsets[i] > lifetime.MaxTotal {
				return
			}
		}
		checkReadsBack(t, string(data), offsets)
	})
}

// An empty cell says nothing: the alignment is 1, as without the column.
func TestEmptyAlignment(t *testing.T) {
	p, err := Parse([]byte("id,lower,upper,size,alignment\na,0,1,5,\nb,0,1,5, \nc,0,1,5,8\n"))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int64{1, 1, 8} {
		if got := p.Records[i].Align; got != want {
			t.Errorf("row %d: alignment %d, want %d", i+1, got, want)
		}
	}
	if _, err := Parse([]byte("id,lower,upper,size,alignment\na,0,1,5,0\n")); err == nil {
		t.Error("alignment 0 passes")
	}
}
