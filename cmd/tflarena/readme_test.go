package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/golden"
)

// documents returns the pages whose console blocks are run.
func documents(t *testing.T) []string {
	list := []string{"../../README.md", "../../docs/guide.md", "../../docs/json.md", "../../docs/faq.md"}
	for _, folder := range []string{"guide", "tutorials"} {
		pages, err := filepath.Glob("../../docs/" + folder + "/*.md")
		if err != nil || len(pages) == 0 {
			t.Fatalf("docs/%s: %d pages found: %v", folder, len(pages), err)
		}
		list = append(list, pages...)
	}
	return list
}

// TestDocuments runs the console blocks of the documents. In a block, a line
// "$ tflarena ..." is run, as are other programs, and what follows is what it has to print; a line "..."
// stands for any lines. Blocks of one document run in one folder, in order, which has
// the files of the page and the models that it names, and nothing else. The pictures of a document are what its
// commands have written there.
func TestDocuments(t *testing.T) {
	setRounds(t, 2) // the default time limit usually suffices for them
	for _, document := range documents(t) {
		text, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimPrefix(filepath.ToSlash(document), "../../"), func(t *testing.T) {
			path, err := filepath.Abs(document)
			if err != nil {
				t.Fatal(err)
			}
			t.Chdir(t.TempDir())
			page := string(text)
			if strings.Contains(page, "Each command after the first is the") {
				checkProposed(t, page)
			}
			for _, m := range downloads.FindAllStringSubmatch(page, -1) {
				data, err := os.ReadFile(filepath.Join(corpus.Dir(t), "models", filepath.FromSlash(m[1])))
				if err != nil {
					t.Fatal(err)
				}
				write(t, m[2], data)
			}
			for name, data := range pageFiles(page) {
				if err := os.WriteFile(name, []byte(data), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			for _, e := range examples(page) {
				page = strings.Replace(page, e.block(e.want), e.block(e.check(t)), 1)
			}
			if *golden.Update {
				golden.File(t, path, []byte(page))
			}
			for _, link := range pictures(page) {
				made, err := os.ReadFile(filepath.Base(link))
				if err != nil {
					t.Errorf("no command of the page makes the picture %s: %v", link, err)
					continue
				}
				golden.File(t, filepath.Join(filepath.Dir(path), link), made)
			}
		})
	}
}

// downloads finds the models of the shared test data that a page tells its readers to download, and their names
// there: "<!-- corpus MODEL FILE -->", as in the scripts.
var downloads = regexp.MustCompile(`<!-- corpus (\S+) (\S+) -->`)

// checkProposed checks that each command of the first console block, except its first, is the one that the
// command before it proposes.
func checkProposed(t *testing.T, markdown string) {
	_, block, _ := strings.Cut(markdown, "```console\n")
	block, _, _ = strings.Cut(block, "```\n")
	list := examples("```console\n" + block)
	if len(list) == 0 || len(list) > 4 {
		t.Errorf("the first block has %d commands", len(list))
	}
	for i := 1; i < len(list); i++ {
		if proposed := nextLine.FindStringSubmatch(list[i-1].want); proposed == nil || proposed[1] != list[i].line {
			t.Errorf("%s is not proposed by %s: %q", list[i].line, list[i-1].line, proposed)
		}
	}
}

// pageFiles returns the contents of the files of a page, by name: blocks such as "```csv buffers.csv".
func pageFiles(markdown string) map[string]string {
	files := map[string]string{}
	for _, m := range regexp.MustCompile("(?ms)^```\\w+ (\\S+)\n(.*?)^```$").FindAllStringSubmatch(markdown, -1) {
		files[m[1]] = m[2]
	}
	return files
}

// pictures returns the links to pictures in a Markdown text.
func pictures(markdown string) (links []string) {
	for _, m := range regexp.MustCompile(`!\[[^\]]*\]\(([^)]+\.(?:svg|png))\)`).FindAllStringSubmatch(markdown, -1) {
		links = append(links, m[1])
	}
	return links
}

// An example is a command line and what it prints.
type example struct{ line, want string }

// examples returns the examples in the console blocks of a Markdown text.
func examples(markdown string) []example {
	var list []example
	inside := false
	for _, line := range strings.Split(markdown, "\n") {
		command, isCommand := strings.CutPrefix(line, "$ ")
		switch {
		case strings.HasPrefix(line, "```"):
			inside = line == "```console"
		case inside && isCommand:
			list = append(list, example{line: command})
		case inside && len(list) > 0:
			list[len(list)-1].want += line + "\n"
		}
	}
	return list
}

// block returns what a page has of an example that prints something.
func (e example) block(output string) string { return "$ " + e.line + "\n" + output }

// check runs an example and returns the text for the page: its present text if that matches, or as many
// lines of the output as it has before the first "...".
func (e example) check(t *testing.T) string {
	words := strings.Fields(e.line)
	if strings.ContainsAny(e.line, "|<>\"'`\\$*") {
		t.Errorf("%s: examples are run without a shell", e.line)
		return e.want
	}
	var got outcome
	if words[0] == name {
		got = execute(noTerminal(), nil, words[1:]...)
	} else {
		got = otherProgram(t, words)
	}
	output := got.stderr + got.stdout
	if matches(e.want, output) {
		return e.want
	}
	if !*golden.Update {
		t.Errorf("%s: exit %d (-documented +printed)\n%s", e.line, got.code, cmp.Diff(e.want, output))
	}
	return e.shortened(output)
}

// otherProgram runs another program than ours: one that the page has made, Python with our package, or a compiler. Without
// the last two, the rest of the page is left out.
func otherProgram(t *testing.T, words []string) (got outcome) {
	if words[0] == "python" {
		got.stdout, got.stderr, got.code = inPython(t, words[1:]...)
		return got
	}
	path, err := exec.LookPath(words[0])
	if err != nil {
		t.Skipf("left out: %v", err)
	}
	out, err := exec.Command(path, words[1:]...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", words, err, out)
	}
	got.stdout = strings.ReplaceAll(string(out), "\r\n", "\n")
	return got
}

// shortened returns the beginning of an output, as long as what the page has of it.
func (e example) shortened(output string) string {
	before, _, elided := strings.Cut("\n"+e.want, "\n...\n")
	lines := strings.SplitAfter(output, "\n")
	if n := strings.Count(before, "\n"); elided && n < len(lines) {
		return strings.Join(lines[:n], "") + "...\n"
	}
	return output
}

// matches reports whether output is what is documented, whose lines "..." stand for
// any number of lines.
func matches(want, output string) bool {
	pattern := "^"
	for _, line := range strings.SplitAfter(want, "\n") {
		if line == "...\n" {
			pattern += "(?s:.*)"
		} else {
			pattern += regexp.QuoteMeta(line)
		}
	}
	return regexp.MustCompile(pattern + "$").MatchString(output)
}

// TestCommandLines runs the command lines of the documents whose output they do not show, with other files of the
// same names and a smaller network than MobileNet v2: each answers, or finds that a budget is not met.
func TestCommandLines(t *testing.T) {
	setRounds(t, 1)
	pages := append(documents(t), "../../docs/kernels.md", "../../docs/speed.md", "../../python/README.md")
	texts := map[string]string{}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		texts[page] = string(text)
	}
	t.Chdir(t.TempDir())
	standIns(t)
	run := 0
	for _, page := range pages {
		for _, block := range fenced.FindAllStringSubmatch(texts[page], -1) {
			for line := range strings.Lines(block[2]) {
				words := strings.Fields(strings.TrimPrefix(strings.ReplaceAll(line, "builtin:mobilenet-v2", "builtin:blazeface"), "$ "))
				if block[1] != "" || len(words) < 2 || words[0] != name || words[1] == "serve" { // serve does not end
					continue
				}
				run++
				if got := execute(noTerminal(), nil, words[1:]...); got.code != exitOK && got.code != exitCheck {
					t.Errorf("%s: %s: exit %d\n%s", page, line, got.code, got.stderr)
				}
			}
		}
	}
	if run < 10 {
		t.Errorf("%d command lines: the pattern finds too few", run)
	}
}

// fenced finds the fenced blocks of a page: what follows the fence, and the lines.
var fenced = regexp.MustCompile("(?ms)^```([^\n]*)\n(.*?)^```$")

// standIns writes files with the names that the documents use in examples.
func standIns(t *testing.T) {
	for _, model := range []string{"model.tflite", "person_detect.tflite", "resnet50.tflite"} {
		if got := execute(noTerminal(), nil, "models", "build", "blazeface-int8", "-o", model); got.code != exitOK {
			t.Fatal(got.stderr)
		}
	}
	times := "operator,compute_ms\n"
	for i := range 78 {
		times += fmt.Sprintf("%d,1\n", i)
	}
	for path, text := range map[string]string{
		"times.csv":             times,
		"measurements.csv":      "model,milliseconds\nmodel.tflite,10\n",
		"scratch.csv":           "subgraph,operator,bytes\n0,0,16\n",
		"tiles.json":            `{"cases": [{"name": "one", "tensors": [{"name": "in", "size": 8, "accesses": [[0, "w", 0, 8], [1, "r", 0, 8]]}]}]}`,
		"vgg19.memprof.csv":     "layer_index,memory_type,event_type,ptr,size,time\n0,1,1,0x1,64,0\n1,0,1,0x2,64,1\n1,1,1,0x3,64,2\n1,1,0,0x1,0,3\n1,1,0,0x3,0,4\n1,0,0,0x2,0,5\n",
		"vgg19.r1.timeprof.csv": "layer_index,loading_begin,loading_end,loading_duration,computing_begin,computing_end,computing_duration\n0,0,0,0,0,0,0\n1,0,1,1,1,2,1\n",
	} {
		write(t, path, []byte(text))
	}
}

func TestExamples(t *testing.T) {
	const page = "text\n```console\n$ tflarena version\ntflarena 1\n...\nlast\n$ other\n```\n```\n$ tflarena no\n```\n"
	want := []example{{"tflarena version", "tflarena 1\n...\nlast\n"}, {"other", ""}}
	if diff := cmp.Diff(want, examples(page), cmp.AllowUnexported(example{})); diff != "" {
		t.Error(diff)
	}
	for output, want := range map[string]bool{
		"tflarena 1\nlast\n": true, "tflarena 1\na\nb\nlast\n": true, "tflarena 2\nlast\n": false, "tflarena 1\nlast\nmore\n": false, "": false,
	} {
		if got := matches("tflarena 1\n...\nlast\n", output); got != want {
			t.Errorf("%q: %v", output, got)
		}
	}
}
