package transform

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/tflite"
)

// A match is an operator and the rule that changes it.
type match struct {
	rule   *Rule
	change *change
}

// find returns the first rule that applies to each operator of a model, in order. No two matches replace the
// same operator.
func find(m *tflite.Model, d rules.Device, list []*Rule, where func(subgraph, operator int) bool) []match {
	return findMore(nil, m, d, list, where)
}

// findMore returns matches and those of [find] that replace none of the same operators.
func findMore(found []match, m *tflite.Model, d rules.Device, list []*Rule, where func(subgraph, operator int) bool) []match {
	for i := range m.Subgraphs {
		sub := &m.Subgraphs[i]
		taken := map[int]bool{}
		for _, f := range found {
			if f.change.site.sub.Index == i {
				for _, o := range f.change.gone {
					taken[o] = true
				}
			}
		}
		for k := range sub.Operators {
			o := &sub.Operators[k]
			s := &site{m: m, sub: sub, op: o, code: m.OperatorCodes[o.Code].Builtin, device: d}
			if o.Damaged || slices.Contains(o.Outputs, -1) || !where(i, k) {
				continue
			}
			for _, r := range list {
				if !slices.Contains(r.Operators, s.code) || !r.Exact.On(d) {
					continue
				}
				c := r.match(s)
				if c == nil || slices.ContainsFunc(c.gone, func(o int) bool { return taken[o] }) {
					continue
				}
				for _, o := range c.gone {
					taken[o] = true
				}
				found = append(found, match{r, c})
				break
			}
		}
	}
	return found
}

// anywhere accepts all operators.
func anywhere(int, int) bool { return true }

// apply returns the model with changes and perhaps metadata, and the match that made each of its operators, by subgraph: -1 for
// operators of the file.
func apply(m *tflite.Model, list []match, metadata *edit.Metadata, o rewrite.Options) (changed *tflite.Model, origins [][]int, err error) {
	changed = m
	for i := range m.Subgraphs {
		e, origin := merge(m, i, list)
		origins = append(origins, origin)
		if e == nil {
			continue
		}
		e.Metadata, metadata = metadata, nil
		r, err := edit.Apply(changed, *e, o)
		if err != nil {
			return nil, nil, err
		}
		if changed, err = tflite.Parse(r.Data, m.Name); err != nil {
			return nil, nil, &rewrite.FaultError{Err: err}
		}
	}
	if metadata != nil && len(m.Subgraphs) > 0 {
		return annotated(m, metadata, origins, o)
	}
	return changed, origins, nil
}

// annotated returns a model with metadata.
func annotated(m *tflite.Model, metadata *edit.Metadata, origins [][]int, o rewrite.Options) (*tflite.Model, [][]int, error) {
	e := edit.Edit{Metadata: metadata}
	for i := range m.Subgraphs[0].Operators {
		e.Operators = append(e.Operators, edit.Operator{Kind: edit.Keep, Of: i})
	}
	r, err := edit.Apply(m, e, o)
	if err != nil {
		return nil, nil, err
	}
	changed, err := tflite.Parse(r.Data, m.Name)
	return changed, origins, err
}

// merge returns the edit with all changes of a subgraph, nil if there are none, and the match that makes
// each operator.
func merge(m *tflite.Model, subgraph int, list []match) (e *edit.Edit, origin []int) {
	sub := &m.Subgraphs[subgraph]
	e = &edit.Edit{Subgraph: subgraph}
	at, gone, instead := map[int]int{}, map[int]bool{}, map[int]int{}
	first := make([]int, len(list)) // how far the tensors of a change move
	for i := range list {
		c := list[i].change
		if c.site.sub.Index != subgraph {
			continue
		}
		first[i] = len(e.Tensors)
		e.Tensors, e.Reshaped = append(e.Tensors, c.tensors...), append(e.Reshaped, c.reshaped...)
		at[c.site.op.Index] = i
		for _, o := range c.gone {
			gone[o] = true
		}
		for old, by := range c.instead {
			instead[old] = c.moved(by, first[i])
		}
	}
	if len(at) == 0 {
		for range sub.Operators {
			origin = append(origin, -1)
		}
		return nil, origin
	}
	root := func(t int) int {
		for by, ok := instead[t]; ok; by, ok = instead[t] {
			t = by
		}
		return t
	}
	for k := range sub.Operators {
		if i, ok := at[k]; ok {
			c := list[i].change
			for _, o := range c.operators {
				o.Inputs, o.Outputs = slices.Clone(o.Inputs), slices.Clone(o.Outputs)
				for j, t := range o.Inputs {
					o.Inputs[j] = root(c.moved(t, first[i]))
				}
				for j, t := range o.Outputs {
					o.Outputs[j] = c.moved(t, first[i])
				}
				e.Operators, origin = append(e.Operators, o), append(origin, i)
			}
		} else if !gone[k] {
			e.Operators, origin = append(e.Operators, kept(&sub.Operators[k], root)), append(origin, -1)
		}
	}
	return e, origin
}

// kept returns an operator of the file, with other inputs where root says so.
func kept(o *tflite.Operator, root func(int) int) edit.Operator {
	if !slices.ContainsFunc(o.Inputs, func(t int) bool { return t >= 0 && root(t) != t }) {
		return edit.Operator{Kind: edit.Keep, Of: o.Index}
	}
	changed := edit.Operator{Kind: edit.Piece, Of: o.Index, Outputs: o.Outputs}
	for _, t := range o.Inputs {
		if t >= 0 {
			t = root(t)
		}
		changed.Inputs = append(changed.Inputs, t)
	}
	return changed
}
