package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/tflarena/tflarena/internal/terminal"
	"github.com/tflarena/tflarena/internal/testkit/golden"
)

// ofWidth is an environment without a terminal, in which lines may have so many characters.
func ofWidth(columns int) terminal.Env {
	e := noTerminal()
	e.Getenv = func(variable string) string {
		if variable == "COLUMNS" {
			return fmt.Sprint(columns)
		}
		return ""
	}
	return e
}

// keptTexts are command lines whose text is kept, by the name of the file that it is kept in.
var keptTexts = map[string]string{
	"analyze":          "analyze builtin:blazeface",
	"analyze-order":    "analyze builtin:randwire --top 3",
	"analyze-pieces":   "analyze builtin:mobilenet-v1 --top 3",
	"analyze-litert":   "analyze builtin:blazeface --top 3 -r litert",
	"analyze-several":  "analyze builtin:blazeface stack.tflite branch.tflite loop.tflite --sort gain",
	"analyze-embedded": "analyze aliased.tflite",
	"plan":             "plan builtin:randwire --top 5",
	"plan-shared":      "plan builtin:posenet --runtime paper --approach shared --top 5",
	"plan-capacity":    "plan builtin:blazeface --capacity 500KiB --top 2",
	"plan-tiles":       "plan builtin:squeezenet-1.1-int8 --tiles --on-chip 256K --top 4",
	"compare":          "compare branch.tflite chain.tflite builtin:blazeface --scratch none",
	"compare-papers":   "compare",
	"rewrite":          "rewrite builtin:blazeface -o out.tflite",
	"rewrite-reorder":  "rewrite builtin:randwire --reorder -o out.tflite",
	"fit":              "fit stack.tflite --head 45KiB -o out.tflite",
	"fit-frontier":     "fit stack.tflite --alias off --time-limit 5m",
	"stream":           "stream builtin:blazeface --macs-per-second 30e9 --bandwidth 200MiB --budget 1MiB --top 3",
	"stream-sweep":     "stream stack.tflite --macs-per-second 30e9 --bandwidth 200MiB --sweep --points 3",
	"verify":           "verify overlap.tflite",
	"verify-several":   "verify branch.tflite overlap.tflite",
	"check":            "check builtin:blazeface --max-arena 1MiB --max-head 100KiB",
	"check-several":    "check builtin:blazeface builtin:randwire overlap.tflite chain.tflite --max-arena 1MiB",
	"diff":             "diff builtin:blazeface chain.tflite",
	"models-list":      "models list",
	"check-custom":     "check aliased.tflite --max-tensor 8",
	"replay":           "replay trace.csv",
	"report":           "report branch.tflite -o report.html",
}

// keptTrace is a trace with streams, a block that is alive all the time, and functions.
const keptTrace = `event,id,size,device,stream,time_us,function
alloc,weights,3145728,0,0,1,load
alloc,first,1048576,0,0,2,forward of a layer with a long name
alloc,second,2097152,0,7,3,forward of a layer with a long name
free,first,,0,0,4,
alloc,third,900000,0,0,5,backward
free,second,,0,7,6,
free,third,,0,0,7,
`

// Every command's text is fit to be read at any width: the files are for people to look at
// when they change.
func TestWidths(t *testing.T) {
	dir, err := filepath.Abs(filepath.Join("testdata", "width"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for name, data := range small() {
		if err := os.WriteFile(name+".tflite", data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile("trace.csv", []byte(keptTrace), 0o600); err != nil {
		t.Fatal(err)
	}
	for file, line := range keptTexts {
		for _, width := range []int{60, 80, 120, 200} {
			if testing.Short() && width != 80 {
				continue
			}
			got := execute(ofWidth(width), nil, strings.Fields(line)...)
			if got.code != exitOK && got.code != exitCheck {
				t.Errorf("%s: %+v", line, got)
			}
			for _, l := range strings.Split(got.stdout, "\n") {
				if n := text.StringWidth(l); n > width && !strings.HasPrefix(l, "next: ") {
					t.Errorf("%s: %d wide, not %d: %s", line, n, width, l)
				}
			}
			golden.File(t, filepath.Join(dir, fmt.Sprintf("%s.%d.txt", file, width)), []byte("$ tflarena "+line+"\n"+got.stdout))
		}
	}
}
