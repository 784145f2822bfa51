package fit

import (
	"fmt"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/commas"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// describe says of the best rung what its peak is made of, and which operators it needs that
// the model had not.
func (f *fitter) describe(own *tflite.Model) error {
	m := own
	if data := f.best().Data; data != nil {
		var err error
		if m, err = tflite.Parse(data, own.Name); err != nil {
			return err
		}
	}
	v, err := micro(m)
	if err != nil {
		return err
	}
	f.report.Binding = binding(v)
	f.report.NewOperators = newOperators(own, m)
	return nil
}

// binding names the operator at the peak and the tensors alive there.
func binding(v *rules.View) string {
	records := v.Records()
	peak := lifetime.Peak(records)
	if len(records) == 0 || peak.First < 0 || peak.First >= len(v.Usage.Steps) {
		return ""
	}
	what := "the graph's inputs"
	if step := v.Usage.Steps[peak.First]; step.Operator >= 0 {
		op := v.Model.Subgraphs[step.Subgraph].Operators[step.Operator]
		what = fmt.Sprintf("operator %d:%d %s", step.Subgraph, step.Operator, op.Name)
	}
	var alive []string
	for _, i := range lifetime.Profile(records, peak.First) {
		if len(alive) == 3 {
			alive = append(alive, "others")
			break
		}
		alive = append(alive, fmt.Sprintf("%s of %s", records[i].ID, commas.Bytes(records[i].Size)))
	}
	last := len(alive) - 1
	if last <= 0 {
		return what + ", with " + strings.Join(append([]string{"tensor"}, alive...), " ")
	}
	return what + ", with tensors " + strings.Join(alive[:last], ", ") + " and " + alive[last]
}

// newOperators returns the kinds of operators of a model that another has not.
func newOperators(old, m *tflite.Model) (names []string) {
	for i := range m.Subgraphs[0].Operators {
		name := m.Subgraphs[0].Operators[i].Name
		known := slices.ContainsFunc(old.Subgraphs[0].Operators, func(op tflite.Operator) bool { return op.Name == name })
		if !known && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
