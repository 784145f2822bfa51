package pin_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/golden"
)

// TestTable keeps the table for people what the last run of the runtimes found.
func TestTable(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "runtimes.json"))
	if err != nil {
		t.Fatal(err)
	}
	var outcomes []outcome
	if err := json.Unmarshal(data, &outcomes); err != nil {
		t.Fatal(err)
	}
	got, name := table(outcomes), filepath.Join("..", "..", "benchmarks", "runtimes.md")
	golden.File(t, name, []byte(got))
}

const preface = `# Rewritten models in the real runtimes

Every model of the corpus, before and after ` + "`rewrite`" + `, in TensorFlow Lite Micro (its reference kernels, 64-bit) and LiteRT,
three invokes on the same seeded inputs. The figures are the bytes of the arena's head. In every row, before and after, the head
is what tflarena predicted, scratch included. The bound is what no plan can go below. Repeat with
` + "`.ci/oracles && go test ./rewrite/pin -run TestRuntimes -audit -update`" + `.

## Models that TensorFlow Lite Micro runs

| model | its own head | with our plan | bound | saved | tensors fixed | outputs identical |
|---|---:|---:|---:|---:|---:|---|
`

func table(outcomes []outcome) string {
	var b, refused strings.Builder
	b.WriteString(preface)
	for _, o := range outcomes {
		if o.Own > 0 && o.Micro == "" {
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %d | %s |\n", o.Model,
				commas(o.Own), commas(o.Planned), commas(o.Bound), saved(o), o.Pinned, identical(o))
		} else if o.Micro != "" {
			fmt.Fprintf(&refused, "| %s | %s | %s |\n", o.Model, cell(o.Micro), cell(runs(o.LiteRT)))
		}
	}
	b.WriteString("\nA model without a saving comes out as a copy: its own head is the bound, or as good as any plan found. Models\n" +
		"marked * give other outputs in the unmodified runtime as soon as their tensors lie elsewhere, because they read\n" +
		"what nothing wrote or write past the shapes they declare; no plan can keep such outputs.\n" +
		aliasTable(outcomes) +
		"\n## Models that TensorFlow Lite Micro does not run\n\n| model | its reason | LiteRT |\n|---|---|---|\n")
	b.WriteString(refused.String())
	return b.String()
}

// aliasTable lists what outputs that take over inputs save beyond a plan.
func aliasTable(outcomes []outcome) string {
	var b strings.Builder
	models, takeovers := 0, 0
	for _, o := range outcomes {
		if o.Takeovers > 0 {
			models++
			takeovers += o.Takeovers
		}
	}
	fmt.Fprintf(&b, "\n## Outputs that take over inputs\n\n"+
		"`rewrite --alias`. With all takeovers at once, whether or not they make the head smaller, %d models (%d takeovers)\n"+
		"gave bit-identical outputs in TensorFlow Lite Micro. Those whose head is smaller than with a plan alone:\n\n"+
		"| model | its own head | with our plan | `--alias safe` | `--alias elementwise` | saved |\n|---|---:|---:|---:|---:|---:|\n", models, takeovers)
	for _, o := range outcomes {
		if o.Safe+o.Elementwise > 0 {
			least := min(nonZero(o.Safe, o.Planned), nonZero(o.Elementwise, o.Planned))
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", o.Model, commas(o.Own), commas(o.Planned),
				commas(nonZero(o.Safe, o.Planned)), commas(nonZero(o.Elementwise, o.Planned)),
				saved(outcome{Own: o.Own, Planned: least}))
		}
	}
	return b.String()
}

func nonZero(n, otherwise int64) int64 {
	if n == 0 {
		return otherwise
	}
	return n
}

func saved(o outcome) string {
	if o.Planned == o.Own {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(o.Own-o.Planned)/float64(o.Own))
}

func identical(o outcome) string {
	switch {
	case o.Unsteady:
		return "*"
	case o.LiteRT != "":
		return "yes (LiteRT does not run it)"
	}
	return "yes, in both"
}

func runs(reason string) string {
	if reason == "" {
		return "runs it, outputs identical"
	}
	return reason
}

// cell cuts a reason to its first sentence and keeps it from ending the cell.
func cell(reason string) string {
	reason = strings.ReplaceAll(strings.ReplaceAll(reason, "\n", " "), "|", "\\|")
	if len(reason) > 120 {
		reason = reason[:120] + "…"
	}
	return reason
}

func commas(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
