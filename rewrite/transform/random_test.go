package transform

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/oneop"
	"github.com/tflarena/tflarena/internal/testkit/oracle"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
)

// Numbers of random models: drawn, and compared for each rule. TFLARENA_MANY_MODELS=1 takes five times as many.
const (
	draws   = 20000
	perRule = 60
)

// A trialCase is a random model and what a rule makes of it.
type trialCase struct {
	oneop.Case
	index    uint64
	rule     *Rule
	old, new *tflite.Model
	// runs reports that the original runs right in TensorFlow Lite Micro, so that its outputs are the yardstick.
	runs bool
}

// rounds are the rules whose outputs may be one step off those of TensorFlow Lite Micro.
var rounds = map[*Rule]bool{&int64Bias: true}

// TestRulesOnRandomModels: a rule does not change the outputs of TensorFlow Lite Micro's reference kernels where they
// are right, and makes them those of LiteRT where they are not.
func TestRulesOnRandomModels(t *testing.T) {
	if testing.Short() {
		t.Skip("left out: the real runtimes take a while")
	}
	oracle.Require(t)
	list := trialCases(t)
	wheel := oracle.Start(t)
	var comparisons []oracle.Comparison
	var compared []*trialCase
	same, right, rounded := map[*Rule]int{}, map[*Rule]int{}, map[*Rule]int{}
	compare := func(c *trialCase, model, twin []byte) {
		compared = append(compared, c)
		comparisons = append(comparisons, oracle.Comparison{Model: model, Twin: twin, Inputs: c.Inputs[:], Outputs: c.Outputs, Default: c.Default})
	}
	for _, c := range list {
		if c.Operator == "TRANSPOSE" && strings.Contains(c.Types, "int64 >") && !c.runs {
			continue // LiteRT reads a permutation of INT64 as INT32
		}
		if c.runs {
			why, failed := sameInWheel(t, wheel, c.old, c.new)
			switch {
			case why == "":
				same[c.rule]++
			case rounds[c.rule] && !failed: // both are to be close to the new model in LiteRT
				compare(c, c.old.Data, c.new.Data)
				compare(c, c.new.Data, c.new.Data)
			case !failed:
				t.Errorf("%s of model %d, %s (%s): %s", c.rule.Name, c.index, c.Operator, c.Types, why)
			}
			continue
		}
		twin := c.Twin
		if twin == nil {
			twin = c.old.Data
		}
		compare(c, c.new.Data, twin)
	}
	for i, d := range oracle.Compare(t, comparisons) {
		c := compared[i]
		switch {
		case d.Yardstick != "":
		case d.Stage != "" || d.Old || d.Steps > 1 || d.Unequal > 0 && d.Type == "bool":
			t.Errorf("%s of model %d, %s (%s): %+v", c.rule.Name, c.index, c.Operator, c.Types, d)
		case d.Unequal > 0:
			rounded[c.rule]++
		default:
			right[c.rule]++
		}
	}
	for _, r := range of(Repairs) {
		if r == &dequantizeChannels || r == &float32Constants {
			continue // rarely or never drawn; they have tests of their own
		}
		t.Logf("%s: %d like the original, %d like LiteRT, %d one step off LiteRT", r.Name, same[r], right[r], rounded[r])
		if same[r]+right[r]+rounded[r] < 4 {
			t.Errorf("%s: too few models to tell", r.Name)
		}
	}
}

// trialCases draws models and applies each rule alone where it applies.
func trialCases(t *testing.T) (list []*trialCase) {
	factor := 1
	if os.Getenv("TFLARENA_MANY_MODELS") == "1" {
		factor = 5
	}
	d := rules.DefaultDevice()
	count := map[*Rule]int{}
	for i := range uint64(factor * draws) {
		c := oneop.Draw(77, i)
		m, err := tflite.Parse(c.Model, c.Operator)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range of(Repairs) {
			found := find(m, d, []*Rule{r}, anywhere)
			if len(found) == 0 || count[r] == factor*perRule {
				continue
			}
			changed, _, err := apply(m, found, nil, (&Options{}).rewrite())
			var refused *rewrite.RefusedError
			if errors.As(err, &refused) {
				continue // a variable as the input
			}
			if err != nil {
				t.Errorf("%s of model %d, %s (%s): %v", r.Name, i, c.Operator, c.Types, err)
				continue
			}
			runs := len(notAssertions(d.Rules().Faults(m))) == 0
			if len(notAssertions(d.Rules().Faults(changed))) > 0 || c.Computed && runs || !runs && c.Alone != "" {
				continue
			}
			count[r]++
			list = append(list, &trialCase{Case: c, index: i, rule: r, old: m, new: changed, runs: runs})
		}
	}
	return list
}

// notAssertions returns the faults that not only builds with assertions have.
func notAssertions(list []rules.Fault) (others []rules.Fault) {
	for _, f := range list {
		if !f.Assertions() {
			others = append(others, f)
		}
	}
	return others
}
