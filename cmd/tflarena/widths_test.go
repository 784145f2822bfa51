package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

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

// layouts are command lines that show every kind of layout once, by the name of the file that keeps
// the text: a head of values with tables and a map, verdicts in sections, a table of models whose names differ in the
// middle, a grid of strategies and these models, tables of more models, a model within its budget and one beyond it, a table from which columns
// are left out, a list, and an error.
var layouts = map[string]string{
	"report":   "analyze builtin:blazeface --top 3 --map",
	"verdicts": "check builtin:blazeface builtin:randwire overlap.tflite chain.tflite --max-arena 1MiB",
	"folder":   "analyze nets",
	"grid":     "compare branch.tflite nets --scratch none",
	"inputs":   "compare branch.tflite nets builtin:blazeface --scratch none",
	"result":   "fit branch.tflite --head 52K --alias diagonal -o out.tflite",
	"missed":   "fit chain.tflite --arena 4KiB --alias off -o out.tflite",
	"frontier": "fit branch.tflite --alias off --time-limit 5m",
	"targets":  "targets esp32",
	"error":    "fit strings.tflite --least -o out.tflite",
}

// printing are further command lines, of which the figures are kept and none of the words.
var printing = []string{
	"analyze builtin:blazeface",
	"analyze builtin:blazeface --top 3 -r litert",
	"analyze builtin:blazeface stack.tflite branch.tflite loop.tflite --sort gain",
	"analyze aliased.tflite",
	"plan builtin:randwire --top 5",
	"plan builtin:posenet --runtime paper --approach shared --top 5",
	"plan builtin:blazeface --capacity 500KiB --top 2",
	"plan builtin:squeezenet-1.1-int8 --tiles --on-chip 256K --top 4",
	"compare",
	"rewrite builtin:blazeface -o out.tflite",
	"rewrite builtin:swiftnet --reorder -o out.tflite",
	"stream builtin:blazeface --macs-per-second 30e9 --bandwidth 200MiB --budget 1MiB --top 3",
	"stream stack.tflite --macs-per-second 30e9 --bandwidth 200MiB --sweep --points 3",
	"verify overlap.tflite",
	"verify branch.tflite overlap.tflite",
	"check builtin:blazeface --max-arena 1MiB --max-head 100KiB",
	"check aliased.tflite --max-tensor 8",
	"diff builtin:blazeface chain.tflite",
	"models list",
	"targets esp32",
	"replay trace.csv",
	"report branch.tflite -o report.html",
}

// alike are the models of a folder, by their names, and small models with their contents. The names differ in the middle.
var alike = map[string]string{
	"person_detect_mobilenet_v1_0.25_96x96_quantised_int8":   "chain",
	"person_detect_mobilenet_v1_0.25_128x128_quantised_int8": "branch",
	"person_detect_mobilenet_v1_0.50_128x128_quantised_int8": "overlap",
	"person_detect_mobilenet_v2_0.25_96x96_quantised_int8":   "loop",
	"person_detect": "strings",
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

// widths are those of a narrow window, of a terminal and of wide ones. The widest shows everything.
var widths = []int{60, 80, 120, 200}

// TestWidths keeps one text of each kind of layout, at all widths, for people to look at when it
// changes. Of every command it keeps the figures, and the laws of widths.
func TestWidths(t *testing.T) {
	dir, err := filepath.Abs(filepath.Join("testdata", "layout"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for name, data := range small() {
		if err := os.WriteFile(name+".tflite", data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir("nets", 0o700); err != nil {
		t.Fatal(err)
	}
	for name, contents := range alike {
		write(t, filepath.Join("nets", name+".tflite"), small()[contents])
	}
	if err := os.WriteFile("trace.csv", []byte(keptTrace), 0o600); err != nil {
		t.Fatal(err)
	}
	for file, line := range layouts {
		var kept strings.Builder
		for i, text := range atWidths(t, line, widths) {
			fmt.Fprintf(&kept, "$ COLUMNS=%d tflarena %s\n%s", widths[i], line, text)
		}
		golden.File(t, filepath.Join(dir, file+".txt"), []byte(kept.String()))
	}
	var figures strings.Builder
	for _, line := range printing {
		some := []int{60, 200}
		if *golden.Audit {
			some = widths
		}
		texts := atWidths(t, line, some)
		fmt.Fprintf(&figures, "$ tflarena %s\n%s", line, numbersIn(texts[len(texts)-1]))
	}
	golden.File(t, filepath.Join(dir, "figures.txt"), []byte(figures.String()))
}

// numbersIn returns the words that have a digit, line by line.
func numbersIn(printed string) string {
	var b strings.Builder
	for _, line := range strings.Split(printed, "\n") {
		var figures []string
		for _, word := range strings.Fields(line) {
			if strings.ContainsAny(word, "0123456789") {
				figures = append(figures, strings.Trim(word, "(),.;:"))
			}
		}
		if figures != nil {
			b.WriteString(strings.Join(figures, " ") + "\n")
		}
	}
	return b.String()
}

// atWidths returns what a command line prints at widths, of which the last is the widest, and fails
// where a text breaks a law.
func atWidths(t *testing.T, line string, widths []int) (texts []string) {
	t.Helper()
	for _, width := range widths {
		got := execute(ofWidth(width), nil, strings.Fields(line)...)
		if got.code != exitOK && got.code != exitCheck {
			t.Errorf("%s: %+v", line, got)
		}
		if got.stdout == "" { // an error
			got.stdout = execute(allTerminals(width), nil, strings.Fields(line)...).stderr
		}
		texts = append(texts, got.stdout)
	}
	widest := takeApart(texts[len(texts)-1])
	for word := range widest.cells { // even the widest grid cuts the names of its columns
		for name := range alike {
			if whole := "nets/" + name + ".tflite"; takeApart("a  " + whole).elides(word) {
				delete(widest.cells, word)
				widest.cells[whole] = true
			}
		}
	}
	for i, text := range texts {
		for _, wrong := range widest.wrong(text, widths[i]) {
			t.Errorf("COLUMNS=%d tflarena %s: %s", widths[i], line, wrong)
		}
	}
	return texts
}
