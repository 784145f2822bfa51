package split_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

var (
	networks     = flag.Int("networks", 150, "how many random networks of 8 bits, and accordingly of floats and 16 bits, are cut and run in the real runtimes")
	firstNetwork = flag.Int("network", 0, "the number of the first of them")
)

// Random networks, cut at random, give the same outputs in the real runtimes, bit by bit.
// LiteRT's optimised kernels are compared too where they calculate with integers alone.
func TestRandomNetworks(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: the real runtimes take a while")
	}
	runTrials(t, randomCNN, drawStages)
}

// TestRandomTransformers is TestRandomNetworks of layers on tokens.
func TestRandomTransformers(t *testing.T) {
	if testing.Short() {
		t.Skip("left out by -short: the real runtimes take a while")
	}
	runTrials(t, randomTransformer, stagesAllOver)
}

func runTrials(t *testing.T, network func(seed uint64, kind schema.TensorType) (*tflite.Model, error), draw func(r *rand.Rand, m *tflite.Model) []split.Stage) {
	t.Helper()
	oracle.Require(t)
	for _, test := range []struct {
		kind schema.TensorType
		many int
	}{
		{schema.TensorTypeINT8, *networks},
		{schema.TensorTypeFLOAT32, (*networks*2 + 4) / 5},
		{schema.TensorTypeINT16, (*networks + 4) / 5},
	} {
		t.Run(test.kind.String(), func(t *testing.T) {
			l := &trials{
				T: t, network: network, draw: draw, runtimes: oracle.Start(t), dir: t.TempDir(), refused: map[string]int{}, reasons: map[string]int{},
				there: map[string]int{}, cut: map[string]int{}, ways: map[string]int{},
			}
			for i := range test.many {
				l.try(uint64(*firstNetwork+i), test.kind)
			}
			l.report(test.many)
		})
	}
}

// Trials are networks of one type, and what was seen of them.
type trials struct {
	*testing.T
	// network returns the network of a seed, draw the stages that are tried of it.
	network  func(seed uint64, kind schema.TensorType) (*tflite.Model, error)
	draw     func(r *rand.Rand, m *tflite.Model) []split.Stage
	runtimes *oracle.Runtimes
	// dir holds the files of the network at hand, kept those of failures.
	dir, kept string
	// stages, networks and runs are what was compared, changing of them those runs whose
	// outputs were not the same for other inputs.
	stages, networks, runs, changing int
	// refused counts by runtime and kernels the networks that did not run as they were, and
	// reasons why; there the operators, cut those in pieces, and ways the stages.
	refused, reasons, there, cut, ways map[string]int
}

// ways are the runtimes and kernels that a network is run with.
var ways = []oracle.Request{
	{Runtime: "tflm", Arena: 1 << 23},
	{Runtime: "litert"},
	{Runtime: "litert", Kernels: optimised},
	{Runtime: "litert", Kernels: delegated},
}

// optimised are LiteRT's own optimised kernels, delegated those that it takes when it is
// asked for nothing: XNNPACK's where it has any, which is for floats and 8 bits.
const optimised, delegated = "BUILTIN_WITHOUT_DEFAULT_DELEGATES", "BUILTIN"

func (l *trials) try(seed uint64, kind schema.TensorType) {
	l.Helper()
	m, err := l.network(seed, kind)
	if err != nil {
		l.Fatalf("network %d: %v", seed, err)
	}
	stages := l.draw(rand.New(rand.NewPCG(seed, 1)), m)
	if stages == nil {
		return
	}
	data, err := cutAll(m, stages)
	if err != nil {
		l.Errorf("network %d, %+v: %v", seed, stages, err)
		return
	}
	before, after := l.write(seed, "whole", m.Data), l.write(seed, "pieces", data)
	compared := false
	for _, way := range ways {
		if way.Kernels == optimised && rounds(m, stages) || way.Kernels == delegated && kind != schema.TensorTypeINT8 {
			continue
		}
		compared = l.compare(m, fmt.Sprintf("network %d, %+v", seed, stages), way, before, after) || compared
	}
	if compared {
		l.count(m, stages)
	}
	os.Remove(before)
	os.Remove(after)
}

// compare runs both files, and says whether the runtime takes the first.
func (l *trials) compare(m *tflite.Model, name string, way oracle.Request, before, after string) bool {
	l.Helper()
	way.Model, way.Seed, way.Invokes = before, 1, 2
	way.Inputs, way.Outputs = len(m.Subgraphs[0].Inputs), len(m.Subgraphs[0].Outputs)
	want := l.runtimes.Run(l, way)
	if want.Error != "" {
		reason, _, _ := strings.Cut(want.Error, "Node number")
		l.refused[way.Runtime+" "+way.Kernels]++
		l.reasons[way.Runtime+" "+way.Kernels+": "+reason]++
		return false
	}
	way.Model = after
	got := l.runtimes.Run(l, way)
	l.runs++
	if !cmp.Equal(want.Outputs[0], want.Outputs[1]) {
		l.changing++
	}
	switch diff := cmp.Diff(want.Outputs, got.Outputs); {
	case got.Error != "":
		l.Errorf("%s, in %s %s: %s\n%s", name, way.Runtime, way.Kernels, got.Error, l.keep(before, after))
	case diff != "":
		l.Errorf("%s, in %s %s: outputs differ (-whole +pieces):\n%s\n%s", name, way.Runtime, way.Kernels, diff, l.keep(before, after))
	}
	return true
}

func (l *trials) write(seed uint64, what string, data []byte) string {
	l.Helper()
	path := filepath.Join(l.dir, fmt.Sprintf("%d-%s.tflite", seed, what))
	if err := os.WriteFile(path, data, 0o644); err != nil {
		l.Fatal(err)
	}
	return path
}

// keep copies two files to where the end of the test leaves them, and says where.
func (l *trials) keep(paths ...string) string {
	l.Helper()
	if l.kept == "" {
		var err error
		if l.kept, err = os.MkdirTemp("", "networks"); err != nil {
			l.Fatal(err)
		}
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(filepath.Join(l.kept, filepath.Base(path)), data, 0o644)
		}
		if err != nil {
			l.Fatal(err)
		}
	}
	return "kept in " + l.kept
}

func (l *trials) count(m *tflite.Model, stages []split.Stage) {
	l.networks++
	l.stages += len(stages)
	for _, o := range m.Subgraphs[0].Operators {
		l.there[o.Name]++
	}
	for _, s := range stages {
		l.ways[way(s)]++
		for _, o := range m.Subgraphs[0].Operators[s.First : s.Last+1] {
			l.cut[o.Name]++
		}
	}
}

// report says what was seen, and fails when it was too little of many networks.
func (l *trials) report(many int) {
	l.Helper()
	l.Logf("%d of %d networks, %d stages, %d runs compared, in %d of them the outputs changed with the inputs", l.networks, many, l.stages, l.runs, l.changing)
	l.Logf("operators cut: %s", listed(l.cut))
	l.Logf("stages: %s", listed(l.ways))
	l.Logf("refused as they were: %s", listed(l.reasons))
	if many < 50 {
		return // somebody looks at a few
	}
	if l.changing*10 < l.runs*9 {
		l.Errorf("outputs changed with inputs in %d of %d runs only", l.changing, l.runs)
	}
	if l.networks*10 < many*9 {
		l.Errorf("%d of %d networks were cut and run only", l.networks, many)
	}
	for name, n := range l.there {
		if n >= 10 && l.cut[name] == 0 {
			l.Errorf("none of %d %s was cut", n, name)
		}
	}
	for way, n := range l.refused {
		if n*6 > many {
			l.Errorf("%s refused %d of %d networks as they were", way, n, many)
		}
	}
}

func listed(counts map[string]int) string {
	var lines []string
	for name, n := range counts {
		lines = append(lines, fmt.Sprintf("%7d %s", n, name))
	}
	sort.Sort(sort.Reverse(sort.StringSlice(lines)))
	return "\n" + strings.Join(lines, "\n")
}
