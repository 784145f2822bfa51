package shrink

import (
	"fmt"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// describe reports the composition of the result's peak, and the operators that it adds to the model.
func (s *Search) describe(r *Report) error {
	m, err := r.Rungs[r.Best].model(s.own)
	if err != nil {
		return err
	}
	v, err := rules.Micro().View(m, -1)
	if err != nil {
		return err
	}
	r.Binding = binding(v, s.device.Requests(m))
	r.NewOperators = newOperators(s.own, m)
	return nil
}

// binding names the operator at the peak, and the scratch and tensors live there.
func binding(v *rules.View, requests []rules.Request) string {
	step, scratch, records, ok := atPeak(v, requests)
	if !ok {
		return ""
	}
	what := "the graph's inputs"
	if step.Operator >= 0 {
		op := v.Model.Subgraphs[step.Subgraph].Operators[step.Operator]
		what = fmt.Sprintf("operator %d:%d %s", step.Subgraph, step.Operator, op.Name)
	}
	var alive []string
	for _, r := range records {
		if len(alive) == 3 {
			alive = append(alive, "others")
			break
		}
		alive = append(alive, fmt.Sprintf("%s of %s", r.ID, units.ExactBytes(r.Size)))
	}
	var with []string
	if scratch > 0 {
		with = append(with, units.ExactBytes(scratch)+" of scratch")
	}
	switch last := len(alive) - 1; {
	case last > 0:
		with = append(with, "tensors "+strings.Join(alive[:last], ", ")+" and "+alive[last])
	case last == 0:
		with = append(with, "tensor "+alive[0])
	}
	return what + ", with " + strings.Join(with, " and ")
}

// atPeak returns the step with the most live bytes, its scratch in bytes, and its tensors,
// largest first; ok is false if nothing is planned.
func atPeak(v *rules.View, requests []rules.Request) (step lifetime.Step, scratch int64, alive []lifetime.Record, ok bool) {
	records := v.WithScratch(requests)
	peak := lifetime.Peak(records)
	if len(records) == 0 || peak.First < 0 || peak.First >= len(v.Usage.Steps) {
		return step, 0, nil, false
	}
	for _, i := range lifetime.Profile(records, peak.First) {
		if i < len(v.Records()) {
			alive = append(alive, records[i])
		} else {
			scratch += records[i].Size
		}
	}
	return v.Usage.Steps[peak.First], scratch, alive, true
}

// newOperators returns the kinds of operators of m that old does not have.
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
