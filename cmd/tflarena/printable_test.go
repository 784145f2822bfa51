package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/internal/testkit/mutate"
	"github.com/tflarena/tflarena/schema"
)

// painted are the sequences that a palette writes. None of [mutate.Names] has one.
var painted = regexp.MustCompile("\x1b\\[(0|1|31|31;1|32|33|22|0;22|[34]8;5;\\d+(;48;5;\\d+)?)(;\\d+)*m")

// unprintable returns the first line of a text with terminal commands or forged by a name, or "".
func unprintable(text string) string {
	if !utf8.ValidString(text) {
		return fmt.Sprintf("invalid UTF-8 in %q", text[:min(len(text), 200)])
	}
	for _, line := range strings.Split(painted.ReplaceAllString(text, ""), "\n") {
		if strings.HasPrefix(line, mutate.Forged) || strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }) {
			return strconv.QuoteToASCII(line)
		}
	}
	return ""
}

// renamed returns a model whose texts all are a name.
func renamed(t *testing.T, data []byte, name string) []byte {
	t.Helper()
	root, err := mutate.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	root.Rename(name)
	return root.Encode()
}

// commented is a model with a custom operator, a signature, metadata and a description.
func commented() []byte {
	m := convolutions(4, 24, 24, 8, 1)
	m.Description = "description"
	s := &m.Subgraphs[0]
	s.Operators[1] = encode.Operator{Custom: "own", Inputs: []int{1}, Outputs: []int{2}}
	s.Operators[2] = operator(schema.BuiltinOperatorADD, []int{1, 2}, 3)
	m.Metadata = []encode.Metadata{{Name: "metadata", Buffer: 1}}
	m.Signatures = []encode.Signature{{Key: "serve", Inputs: map[string]int{"in": 0}, Outputs: map[string]int{"out": 4}}}
	return encode.Encode(m)
}

// TestNamesAreNoCommands: names of models, problems, traces and files are printed as text, whatever
// they contain: no terminal commands, no lines of their own, no direction overrides.
func TestNamesAreNoCommands(t *testing.T) {
	dir := t.TempDir()
	broken := encode.Encode(planned(branch(), 1, 1, 7, 0, 0, -1, -1, -1, -1, -1))
	for n, name := range mutate.Names {
		for source, data := range [][]byte{commented(), mutate.Network(schema.TensorTypeINT8), mutate.Branches(), broken, encode.Encode(hostile())} {
			if !*golden.Audit && (n+source)%4 > 0 {
				continue
			}
			data = renamed(t, data, name)
			path := write(t, filepath.Join(dir, "model.tflite"), data)
			other := write(t, filepath.Join(dir, "other.tflite"), renamed(t, commented(), "other "+name))
			printsNoCommands(t, n+source, fmt.Sprintf("model %d, name %d", source, n), map[string]string{"MODEL": path, "OTHER": other, "DIR": dir}, []string{
				"analyze MODEL", "analyze MODEL --ops --top 0 --wide --details --map", "analyze MODEL --map --ascii", "analyze MODEL -r litert", "analyze MODEL -r paper", "analyze MODEL OTHER",
				"analyze MODEL --kernels esp-nn-s3", "analyze MODEL -o markdown=-", "analyze MODEL OTHER -o markdown=-",
				"plan MODEL", "plan MODEL --alias overwrite --top 0 --wide", "plan MODEL --alias diagonal", "plan MODEL -a shared", "plan MODEL --capacity 100", "plan MODEL --tiles --on-chip 64K", "plan MODEL --tiles --on-chip 16",
				"compare MODEL", "verify MODEL", "check MODEL", "check MODEL --max-arena 1K --max-tensor 10", "check MODEL --max-arena 1K -o markdown=-", "check MODEL --max-arena 1K -o github=-", "diff MODEL OTHER", "diff OTHER MODEL",
				"rewrite MODEL --allow-faults -o DIR/out.tflite", "rewrite MODEL --allow-faults --reorder --alias overwrite --pin all --force -o DIR/out.tflite", "rewrite MODEL --allow-faults --remove -o DIR/out.tflite",
				"fit MODEL --allow-faults --least -o DIR/out.tflite --time-limit 10ms", "fit MODEL --allow-faults --head 1K -o DIR/out.tflite --time-limit 10ms", "fit MODEL --time-limit 10ms", "fit MODEL --allow-faults --head 1K --alias auto -o DIR/out.tflite --time-limit 10ms",
				"report MODEL -o DIR/out.html --head 1K --time-limit 10ms", "report MODEL OTHER -o DIR/out.html --time-limit 10ms",
				"stream MODEL --budget 1G --bandwidth 1M --macs-per-second 1e9", "stream MODEL --budget 10 --bandwidth 1M --macs-per-second 1e9", "stream MODEL --budget 1G --bandwidth 1M --macs-per-second 1e9 --slice 256 --segments DIR/segments",
				"plan MODEL -o header=-", "plan MODEL -o bufferplan=-", "plan MODEL -o lp=-", "plan MODEL -o mps=-", "stream MODEL --budget 1G --bandwidth 1M --macs-per-second 1e9 -o c=-",
				"analyze MODEL -o resolver=-", "analyze MODEL -o resolver=DIR/r.h -o cc=DIR/model.cc -o firmware=DIR/library",
			})
		}
	}
}

// TestNamesOfProblemsAreNoCommands is [TestNamesAreNoCommands] for problems, tiles, traces, profiles, budgets,
// scratch and files of other kinds.
func TestNamesOfProblemsAreNoCommands(t *testing.T) {
	dir := t.TempDir()
	model := write(t, filepath.Join(dir, "model.tflite"), encode.Encode(branch()))
	for n, name := range mutate.Names {
		cell := `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
		data, err := json.Marshal(name)
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		at := map[string]string{"DIR": dir, "MODEL": model}
		for file, contents := range map[string]string{
			"problem.csv": "id,lower,upper,size\n" + cell + ",0,3,100\nb" + cell + ",1,4,100\nc,3,5,60\n",
			"broken.csv":  "id,lower,upper,size\n" + cell + "," + cell + ",3,100\n",
			"header.csv":  cell + ",lower\n1,2\n",
			"waves.csv":   "id,lower,upper,size,known_at\n" + cell + ",0,3,100,\nb" + cell + ",1,4,100,1\n",
			"shared.csv":  "id,lower,upper,width,height\n" + cell + ",0,3,10,10\nb" + cell + ",1,4,12,8\n",
			"tiles.json":  `{"cases":[{"name":` + text + `,"tensors":[{"name":` + text + `,"size":8,"accesses":[[0,"w",0,8],[1,"r",0,8]]},{"name":"b","size":8,"accesses":[[1,"w",0,8],[2,"r",0,8]]}]}]}`,
			"wrong.json":  `{"cases":[{"name":` + text + `,` + text + `:1}]}`,
			"trace.csv":   "event,id,size,device,stream,pool,function\nalloc," + cell + ",600,0," + cell + "," + cell + "," + cell + "\nalloc,b,900,0,0,,f" + cell + "\nfree," + cell + ",,,,,\n",
			"plain.csv":   "event,id,size,function\nalloc,1,600," + cell + "\nalloc,2,900,f\nfree,1,,\n",
			"trace.jsonl": `{"event":"alloc","id":1,"size":600,"function":` + text + `,"pool":` + text + `}` + "\n" + `{"event":` + text + `,"id":1}` + "\n",
			"budget.json": `{"max_arena":"1K","models":{` + text + `:{"max_head":1},"model.tflite":{"max_head":1,` + text + `:2}}}`,
			"named.json":  `{"max_arena":"1K","models":{"model.tflite":{"max_tensor":1},` + text + `:{"max_head":1}}}`,
			"scratch.csv": "subgraph,operator,bytes\n0," + cell + ",5\n",
			"times.csv":   "operator,compute_ms\n0," + cell + "\n",
			"own.json":    `{"tensors":[{"tensor":` + text + `,"rows":4}]}`,
		} {
			at[file] = write(t, filepath.Join(dir, file), []byte(contents))
		}
		printsNoCommands(t, n, fmt.Sprintf("name %d", n), at, []string{
			"plan problem.csv", "plan problem.csv --capacity 50", "plan problem.csv --capacity 150", "plan problem.csv --capacity 1K", "plan problem.csv -a shared", "plan broken.csv", "plan header.csv", "plan problem.csv --align 64 --wide --top 0",
			"plan waves.csv --waves", "plan shared.csv -a textures", "plan tiles.json", "plan tiles.json --semantics atomic --capacity 4", "plan wrong.json", "compare problem.csv", "compare problem.csv tiles.json -o markdown=-",
			"plan problem.csv -o header=-", "plan problem.csv -o bufferplan=-", "plan problem.csv -o lp=-", "plan problem.csv -o mps=-",
			"replay trace.csv", "replay plain.csv --top 0 --wide", "replay plain.csv --together --iterations", "replay trace.jsonl",
			"check MODEL --budget budget.json", "check --budget named.json", "analyze MODEL --scratch scratch.csv", "plan MODEL --tiles --on-chip 64K --tile own.json",
			"stream MODEL --budget 1G --bandwidth 1M --macs-per-second 1e9 --times times.csv", "plan problem.csv --solution broken.csv",
		})
	}
}

// TestNamesOfFilesAreNoCommands is [TestNamesAreNoCommands] for the names of files, of flags' values, and of
// what is not there.
func TestNamesOfFilesAreNoCommands(t *testing.T) {
	for n, name := range mutate.Names {
		if name == "" {
			continue
		}
		dir := t.TempDir()
		name = strings.ReplaceAll(name, "/", "")
		path, problem := filepath.Join(dir, name+".tflite"), filepath.Join(dir, name+".csv")
		if os.WriteFile(path, encode.Encode(branch()), 0o600) != nil {
			continue // a file system that has no such names
		}
		write(t, problem, []byte("id,lower,upper,size\na,0,3,100\n"))
		at := map[string]string{"MODEL": path, "PROBLEM": problem, "NAME": name, "OUT": filepath.Join(dir, "out"+name+".tflite"), "FOLDER": dir}
		printsNoCommands(t, n, fmt.Sprintf("name %d", n), at, []string{
			"analyze MODEL", "analyze MODEL PROBLEM", "analyze FOLDER", "analyze MODEL MODEL -o markdown=-", "plan PROBLEM", "compare PROBLEM MODEL", "check MODEL --max-arena 1", "check MODEL MODEL --max-arena 1", "check MODEL -o github=-", "check MODEL -o markdown=-", "diff MODEL MODEL",
			"rewrite MODEL --allow-faults -o OUT", "rewrite MODEL --in-place --pin all", "fit MODEL --allow-faults --least --time-limit 10ms -o OUT", "verify MODEL", "replay PROBLEM", "report MODEL --time-limit 10ms -o OUT.html", "stream MODEL --budget 1G --bandwidth 1M --macs-per-second 1e9 --segments OUT.dir",
			"analyze NAME-absent", "analyze builtin:NAME", "plan MODEL -o OUT.c", "analyze MODEL -o cc=OUT.cc -o resolver=OUT.h -o firmware=OUT.d",
		})
	}
}

// TestWrongWordsAreNoCommands: errors of a command line are printed as text.
func TestWrongWordsAreNoCommands(t *testing.T) {
	model := write(t, filepath.Join(t.TempDir(), "model.tflite"), encode.Encode(branch()))
	for _, name := range mutate.Names {
		for _, args := range [][]string{
			{name},
			{"help", name},
			{"analyze", model, "--kernels", name},
			{"analyze", model, "--" + name},
			{"analyze", model, "-o", name + "=x"},
			{"plan", model, "-s", name},
			{"plan", model, "--align", name},
			{"fit", model, "--head", name, "-o", "x"},
			{"plan", model, "--time-limit", name},
			{"analyze", model, "-r", name},
			{"plan", model, "--alias", name},
			{"analyze", model, "--shape", name},
			{"plan", model, "--seed", name},
			{"models", "build", name, "-o", "-"},
			{"completion", name},
			{"plan", model, "--tiles", "--on-chip", "1K", "--tile", name},
			{"fit", model, "--max-overhead", name},
			{"analyze", model, "--sort", name},
			{"analyze", model, "--shape", name + "=1"},
		} {
			got := execute(noTerminal(), nil, args...)
			for _, text := range []string{got.stdout, got.stderr} {
				if wrong := unprintable(text); wrong != "" {
					t.Errorf("%q: %s", args, wrong)
				}
			}
		}
	}
}

// printsNoCommands runs command lines, with and without colours: all with -audit, otherwise a fifth, with
// other ones for each n.
func printsNoCommands(t *testing.T, n int, what string, files map[string]string, lines []string) {
	t.Helper()
	for k, line := range lines {
		if !*golden.Audit && (n+k)%5 > 0 {
			continue
		}
		args := strings.Fields(line)
		for i := range args {
			for word, path := range files {
				args[i] = strings.ReplaceAll(args[i], word, path)
			}
		}
		for i, colour := range []string{"never", "always"} {
			if i > 0 && strings.HasSuffix(line, "=-") {
				continue
			}
			got := execute(noTerminal(), nil, append(args, "--color", colour)...)
			for _, text := range []string{got.stdout, got.stderr} {
				if wrong := unprintable(text); wrong != "" {
					t.Errorf("%s: %s --color %s: %s", what, line, colour, wrong)
				}
			}
		}
	}
}
