package oneop_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/testkit/oneop"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

var (
	models = flag.Int("models", 500, "compare what is predicted of `N` random models of one operator with the real runtimes")
	seed   = flag.Uint64("seed", 1, "draw the models from the seed `S`")
	keep   = flag.String("keep", "", "write the models that are not as predicted to the folder `DIR`")
)

// TestSurvey: TensorFlow Lite Micro rejects a random model, crashes or hangs on it exactly if a fault
// says so, and its outputs for one without a fault are those of LiteRT's reference kernels.
func TestSurvey(t *testing.T) {
	if testing.Short() {
		t.Skip("left out: the real runtimes take a while")
	}
	oracle.Require(t)
	s := survey{excused: map[string]int{}, rows: map[string]row{}, failed: map[string][]string{}}
	const batch = 250
	oracle.Each(t, (*models+batch-1)/batch, func(t *testing.T, _ *oracle.Runtimes, i int) {
		var cases []oneop.Case
		var list []oracle.Comparison
		for k := i * batch; k < min((i+1)*batch, *models); k++ {
			c := oneop.Draw(*seed, uint64(k))
			cases = append(cases, c)
			list = append(list, oracle.Comparison{Model: c.Model, Inputs: c.Inputs[:], Outputs: c.Outputs, Twin: c.Twin, Default: c.Default})
		}
		for k, d := range oracle.Compare(t, list) {
			if why := cases[k].Alone; why != "" && d.Stage == "" {
				d = oracle.Difference{Old: d.Old, Yardstick: why}
			}
			s.judge(t, i*batch+k, cases[k], d)
		}
	})
	s.report(t)
}

// A survey collects what came of the models.
type survey struct {
	mu sync.Mutex
	// Models that run as LiteRT has it, that run without anything to compare with, and that do not run.
	equal, alone, stopped int
	excused               map[string]int
	rows                  map[string]row
	failed                map[string][]string
}

// A row counts the models for which a row of the table of faults holds, for which it shows, and which
// nothing can be compared with.
type row struct{ holds, shows, alone int }

// judge compares what is predicted of a model with what it did.
func (s *survey) judge(t *testing.T, index int, c oneop.Case, d oracle.Difference) {
	m, err := tflite.Parse(c.Model, c.Operator)
	if err != nil {
		t.Errorf("model %d, %s %s: %v", index, c.Operator, c.Types, err)
		return
	}
	faults := rules.Micro().Faults(m)
	s.mu.Lock()
	defer s.mu.Unlock()
	fault := verdict(faults, d)
	for _, e := range excuses {
		if fault != "" && e.holds(c, faults, d) {
			s.excused[e.why]++
			fault = ""
		}
	}
	s.count(faults, d)
	switch {
	case fault != "":
		s.fail(index, c, fault)
	case d.Stage != "":
		s.stopped++
	case d.Yardstick != "":
		s.alone++
	default:
		s.equal++
	}
}

// verdict returns the error of a prediction, or "".
func verdict(faults []rules.Fault, d oracle.Difference) string {
	stops := rules.Stop(faults)
	switch {
	case d.Stage != "" && len(stops) == 0:
		return fmt.Sprintf("not predicted: %s: %s", d.Stage, d.Error)
	case d.Stage == "" && len(stops) > 0:
		return "runs, and is said not to: " + stops[0].Reason
	case d.Old && len(faults) == 0:
		return "not predicted: outputs depend on what the arena held"
	case visible(d) && len(faults) == 0:
		return fmt.Sprintf("not predicted: up to %g off", d.Steps)
	}
	return ""
}

// visible reports whether outputs differ from those of LiteRT by more than runtimes may: a step of an
// integer, which rounding makes, and a 100,000th of a real number.
func visible(d oracle.Difference) bool {
	step := 0.0
	if strings.HasPrefix(d.Type, "int") || strings.HasPrefix(d.Type, "uint") {
		step = 1
	}
	return d.Unequal > 0 && d.Steps > step
}

// excuses are what no file tells, each with the reason.
var excuses = []struct {
	why   string
	holds func(c oneop.Case, faults []rules.Fault, d oracle.Difference) bool
}{
	{"values that are computed and that the kernel refuses", func(c oneop.Case, _ []rules.Fault, d oracle.Difference) bool {
		return d.Stage == "invoke" && c.Computed
	}},
	{"a scale of 0, which kernels compute with", func(c oneop.Case, faults []rules.Fault, d oracle.Difference) bool {
		if len(faults) == 0 && strings.HasPrefix(c.Spoilt, "quantisation of ") && (c.Operator == "SUM" || c.Operator == "MEAN" || c.Operator == "FULLY_CONNECTED") {
			return d.Stage == ""
		}
		return d.Stage == "" && len(faults) > 0 && strings.HasSuffix(c.Spoilt[:min(len(c.Spoilt), 12)], "quantisation") && unscaled.MatchString(faults[0].Reason)
	}},
	{"the last two steps of the exponential function in INT16", func(c oneop.Case, _ []rules.Fault, d oracle.Difference) bool {
		return c.Operator == "SOFTMAX" && d.Type == "int16" && d.Stage == "" && !d.Old && d.Steps <= 2
	}},
	{"models that LiteRT refuses, too, and that TensorFlow Lite Micro gets through with", func(_ oneop.Case, faults []rules.Fault, d oracle.Difference) bool {
		return len(faults) > 0 && d.Stage == "" && d.Yardstick != ""
	}},
	{"operands that contradict each other by numbers that are computed", func(c oneop.Case, _ []rules.Fault, d oracle.Difference) bool {
		return c.Computed && contradictory.MatchString(c.Spoilt) && (d.Yardstick != "" || d.Old)
	}},
	{"operands that contradict each other, on which kernels crash or not as it happens", func(c oneop.Case, faults []rules.Fault, d oracle.Difference) bool {
		return len(faults) > 0 && (d.Stage != "" && slices.ContainsFunc(faults, func(f rules.Fault) bool { return f.Kind == rules.WrongResults }) || d.Stage == "" && contradictory.MatchString(c.Spoilt))
	}},
}

// invisible are rows that hold and do not show on these inputs, each with the reason.
var invisible = map[string]string{
	"MEAN tensorflow/lite/micro/kernels/reduce_common.cc:66":                  "what is overwritten lies on the stack",
	"STRIDED_SLICE tensorflow/lite/micro/kernels/strided_slice_common.cc:119": "a mask does nothing where the slice has the dimension in full, and the kernel refuses most others",
}

// count notes for each row of the table of faults how often it holds, and how often that shows.
func (s *survey) count(faults []rules.Fault, d oracle.Difference) {
	for _, f := range faults {
		if f.Source == "" || f.Limits != "" {
			continue
		}
		row := f.Name + " " + f.Source
		n := s.rows[row]
		n.holds++
		if d.Stage != "" || d.Old || visible(d) {
			n.shows++
		} else if d.Yardstick != "" {
			n.alone++
		}
		s.rows[row] = n
	}
}

var unscaled = regexp.MustCompile("no scale that is positive|output 0,")

var contradictory = regexp.MustCompile("^(type|shape|rank) of ")

func (s *survey) fail(index int, c oneop.Case, fault string) {
	kind := fmt.Sprintf("%s %s: %s", c.Operator, c.Types, digits.ReplaceAllString(fault, "N"))
	s.failed[kind] = append(s.failed[kind], fmt.Sprintf("%d (%s; %s)", index, c.Spoilt, fault))
	if *keep != "" {
		// A file that cannot be written will be missed.
		_ = os.WriteFile(filepath.Join(*keep, fmt.Sprintf("%d-%d-%s.tflite", *seed, index, c.Operator)), c.Model, 0o644)
	}
}

var digits = regexp.MustCompile(`-?[0-9][0-9.]*(e-?[0-9]+)?`)

func (s *survey) report(t *testing.T) {
	for name, r := range s.rows {
		if r.shows == 0 && r.holds-r.alone >= 8 && invisible[name] == "" {
			t.Errorf("%s holds for %d models that run, and shows in none", name, r.holds-r.alone)
		}
	}
	for why, n := range s.excused {
		t.Logf("%d models: %s", n, why)
	}
	var kinds []string
	for kind := range s.failed {
		kinds = append(kinds, kind)
	}
	slices.SortFunc(kinds, func(a, b string) int {
		if n := len(s.failed[b]) - len(s.failed[a]); n != 0 {
			return n
		}
		return strings.Compare(a, b)
	})
	for _, kind := range kinds {
		list := s.failed[kind]
		t.Errorf("%d models of seed %d, %s: %s", len(list), *seed, kind, strings.Join(list[:min(3, len(list))], ", "))
	}
	t.Logf("%d models run and are right, %d have nothing to compare with, %d do not run", s.equal, s.alone, s.stopped)
	if all := *models; s.equal < all/2 || s.stopped < all/8 {
		t.Errorf("%d models run and %d do not: the test says little", s.equal, s.stopped)
	}
}
