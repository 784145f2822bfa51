package trace

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/alloc/replay"
)

// form writes a trace in short.
func form(t *replay.Trace) string {
	var b strings.Builder
	for _, d := range t.Devices {
		fmt.Fprintf(&b, "device %d %v:", d.Index, d.Lanes)
		for _, e := range d.Events {
			f, _ := t.Caller(e.Stack)
			fmt.Fprintf(&b, " %d/%s/%d/%d/%d/%s", e.Kind, d.Name(e.Block), e.Size, e.Lane, e.Time, f)
		}
		b.WriteString("; ")
	}
	return b.String()
}

func TestTexts(t *testing.T) {
	const want = "device 0 [{0 } {3 } {3 p}]: 1/a/5/0/1/f 1/7/6/1/0/ 2/a/5/0/0/ 3/0/0/0/0/ 2/7/6/1/0/; device 1 [{0 } {3 } {3 p}]: 1/a/9/2/0/ 3/0/0/0/0/; "
	lines := `{"event":"alloc","id":"a","size":5,"time_us":1,"function":"f"}
{"event":"alloc","id":7,"size":6,"stream":3, "more": [1]}

{"event":"alloc","id":"a","size":9,"device":1,"stream":3,"pool":"p"}
{"event":"free","id":"a"}
{"event":"interrupt"}
{"event":"free","id":7,"size":6,"stream":3}`
	table := "\xef\xbb\xbfEvent,id,size,device,stream,time_us,function,pool,other\nalloc,a,5,,,1,f,,x\nalloc,7,6,0,3,,,,\nalloc,a,9,1,3,,,p,\nfree,a,,0,,,,,\ninterrupt,,,,,,,,\nfree,7,6,,3,,,,\n"
	for _, data := range []string{lines, table, strings.ReplaceAll(table, "\n", "\r\n")} {
		f, err := Read([]byte(data), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := form(f.Trace); got != want {
			t.Errorf("%s\nwant\n%s", got, want)
		}
		var written bytes.Buffer
		if err := WriteCSV(&written, f.Trace); err != nil {
			t.Fatal(err)
		}
		again, err := Read(written.Bytes(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := form(again.Trace); got != want {
			t.Errorf("written and read again: %s\nwant\n%s", got, want)
		}
	}
}

func TestTextErrors(t *testing.T) {
	for data, want := range map[string]string{
		"":                                               "neither a PyTorch snapshot",
		"a,b\n":                                          `line 1: there is no column "event"`,
		"event,event,id,size\n":                          "line 1: there are two columns",
		"event,id,size\nalloc,a\n":                       "line 2: 2 cells",
		"event,id,size\nalloc,\"a,1\n":                   "line 2: extraneous",
		"event,id,size\nfree,a,1\n":                      "line 2: block a is released, and was not requested",
		"event,id,size\nallok,a,1\n":                     `line 2: event "allok" is not one of`,
		"event,id,size\nalloc,a,\n":                      "line 2: block a has no size",
		"event,id,size\nalloc,a,-1\n":                    "line 2: size -1 is not between",
		"event,id,size\nalloc,a,1.5\n":                   `line 2: size "1.5" is not a whole number`,
		"event,id,size\nalloc,,1\n":                      "line 2: alloc has no id",
		"event,id,size\nalloc,a,1\nalloc,a,1\n":          "line 3: block a is requested again",
		"event,id,size\nalloc,a,1\nfree,a,2\n":           "line 3: block a is released with 2 B and was requested with 1 B",
		"event,id,size,device\nalloc,a,1,0\nfree,a,,1\n": "line 3: block a is released, and was not",
		`{"event":"alloc","id":1,"size":1}` + "\n" + `{"event":1}`: `line 2: field "event" cannot be number`,
		`{"event":`:                            "line 1: this is not a JSON object",
		`{"event":"alloc","id":1,"size":1e99}`: `line 1: size "1e99" is not`,
	} {
		_, err := Read([]byte(data), nil)
		if !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", data, err, want)
		}
	}
}

func TestLooks(t *testing.T) {
	for data, want := range map[string]bool{"event,id,size\n": true, "\n{\"event\"": true, "\x80\x04}": true, "id,lower,upper,size\n": false, "\x1c\x00\x00\x00TFL3": false} {
		if Looks([]byte(data)) != want {
			t.Errorf("%q: %v", data, !want)
		}
	}
}
