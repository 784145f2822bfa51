package oracle

import (
	"bufio"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"os"
	"os/exec"
	"testing"

	"github.com/tflarena/tflarena/internal/workers"
)

//go:embed compare.py
var comparing string

// A Comparison is a model that both runtimes run.
type Comparison struct {
	Model []byte
	// Inputs holds the bytes of each input for each run.
	Inputs [][][]byte
	// Outputs is the number of outputs.
	Outputs int
	// Arena is the size of TensorFlow Lite Micro's arena in bytes, 0 for half a megabyte.
	Arena int
	// Twin is the model that LiteRT runs, nil if it is Model. Default makes it run with its
	// default kernels.
	Twin    []byte
	Default bool
}

// A Difference is the result of both runtimes for a model.
type Difference struct {
	// Stage is where TensorFlow Lite Micro stopped: "allocate", "inputs", "invoke" or "outputs";
	// empty if it ran the model. Error says how.
	Stage string `json:"stage"`
	Error string `json:"error"`
	// Yardstick says why there are no outputs of LiteRT to compare with.
	Yardstick string `json:"yardstick"`
	// Old reports outputs of TensorFlow Lite Micro that depend on what the arena held before.
	Old bool `json:"old"`
	// Unequal of Of elements of an output differ, by at most Steps: units of an integer, or
	// relative to the largest number of the output.
	Unequal int     `json:"unequal"`
	Of      int     `json:"of"`
	Steps   float64 `json:"steps"`
	Type    string  `json:"type"`
}

// Seconds until a model counts as hanging, and the size of the arena in bytes.
const (
	hangSeconds  = 20
	compareArena = 1 << 19
)

// Compare runs models in TensorFlow Lite Micro and in LiteRT's reference kernels, each in a separate process. Without the runtimes
// it does as [Require].
func Compare(t testing.TB, list []Comparison) []Difference {
	t.Helper()
	cmd := exec.Command(Python(t), "-c", comparing)
	type model struct {
		Model   string     `json:"model"`
		Inputs  [][]string `json:"inputs"`
		Outputs int        `json:"outputs"`
		Twin    string     `json:"twin"`
		Default bool       `json:"default"`
		Arena   int        `json:"arena"`
	}
	request := struct {
		Limit  int     `json:"limit"`
		Models []model `json:"models"`
	}{Limit: hangSeconds}
	text := base64.StdEncoding.EncodeToString
	for _, c := range list {
		m := model{Model: text(c.Model), Outputs: c.Outputs, Twin: text(c.Twin), Default: c.Default, Arena: max(c.Arena, compareArena)}
		for _, run := range c.Inputs {
			inputs := []string{}
			for _, data := range run {
				inputs = append(inputs, text(data))
			}
			m.Inputs = append(m.Inputs, inputs)
		}
		request.Models = append(request.Models, m)
	}
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var written error
	var writer workers.Group
	writer.Go(func() {
		written = json.NewEncoder(in).Encode(request)
		in.Close()
	})
	answers := make([]Difference, 0, len(list))
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var d Difference
		if err := json.Unmarshal(lines.Bytes(), &d); err != nil {
			t.Fatalf("answer %q: %v", lines.Bytes(), err)
		}
		answers = append(answers, d)
	}
	if writer.Wait(); written != nil {
		t.Fatal(written)
	}
	if err := cmd.Wait(); err != nil || len(answers) != len(list) {
		t.Fatalf("%d answers to %d models: %v", len(answers), len(list), err)
	}
	return answers
}
