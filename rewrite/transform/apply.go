package transform

import (
	"errors"
	"fmt"

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
// same operator, or change what the other one relies on.
func find(m *tflite.Model, d rules.Device, list []*Rule, where func(subgraph, operator int) bool) []match {
	return findMore(nil, m, d, list, where)
}

// findMore returns the given matches and those of [find] that go with them.
func findMore(found []match, m *tflite.Model, d rules.Device, list []*Rule, where func(subgraph, operator int) bool) []match {
	for i := range m.Subgraphs {
		sub := &m.Subgraphs[i]
		taken := taken{operators: map[int]bool{}, instead: map[int]int{}, sources: map[int]bool{}}
		for _, f := range found {
			if f.change.site.sub.Index == i {
				taken.add(f.change)
			}
		}
		for k := range sub.Operators {
			o := &sub.Operators[k]
			s := (&site{m: m, sub: sub, device: d}).of(k)
			if o.Damaged || slices.Contains(o.Outputs, -1) || !where(i, k) {
				continue
			}
			for _, r := range list {
				if !slices.Contains(r.Operators, s.code) || !r.exactOn(d) {
					continue
				}
				if c := r.match(s); c != nil && c.sized() && taken.permits(c) {
					taken.add(c)
					found = append(found, match{r, c})
					break
				}
			}
		}
	}
	return found
}

// taken is what the matches of a subgraph replace: operators, and tensors by sources, which their readers read instead.
type taken struct {
	operators map[int]bool
	instead   map[int]int
	sources   map[int]bool
}

func (t *taken) add(c *change) {
	for _, o := range c.gone {
		t.operators[o] = true
	}
	for old, by := range c.instead {
		t.instead[old], t.sources[by] = by, true
	}
}

// permits reports whether a change goes with the others. A tensor may be replaced by one of another shape only if its own
// readers do not depend on the shape; the readers of a tensor that it replaces may.
func (t *taken) permits(c *change) bool {
	reshapes := func(old, by int) bool {
		tensors := c.site.sub.Tensors
		return old >= len(tensors) || by >= len(tensors) || !slices.Equal(tensors[old].Shape, tensors[by].Shape)
	}
	if slices.ContainsFunc(c.gone, func(o int) bool { return t.operators[o] }) {
		return false
	}
	for old, by := range c.instead {
		if further, ok := t.instead[by]; ok && reshapes(by, further) || t.sources[old] && reshapes(old, by) {
			return false
		}
	}
	return true
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
	places := make([]func(int) int, len(list)) // the tensors of a change in the edit
	constants := map[string]int{}
	for i := range list {
		c := list[i].change
		if c.site.sub.Index != subgraph {
			continue
		}
		places[i] = c.place(e, constants)
		e.Reshaped = append(e.Reshaped, c.reshaped...)
		at[c.site.op.Index] = i
		for _, o := range c.gone {
			gone[o] = true
		}
		for old, by := range c.instead {
			instead[old] = places[i](by)
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
					o.Inputs[j] = root(places[i](t))
				}
				for j, t := range o.Outputs {
					o.Outputs[j] = places[i](t)
				}
				e.Operators, origin = append(e.Operators, o), append(origin, i)
			}
		} else if !gone[k] {
			e.Operators, origin = append(e.Operators, kept(&sub.Operators[k], root)), append(origin, -1)
		}
	}
	e.Recycle(m)
	return e, origin
}

// place adds the tensors of a change to an edit and returns their indexes there. Equal constants are added once.
func (c *change) place(e *edit.Edit, constants map[string]int) func(t int) int {
	own := len(c.site.sub.Tensors)
	index := make([]int, len(c.tensors))
	for i, t := range c.tensors {
		index[i] = own + len(e.Tensors)
		if t.Data != nil || t.Buffer > 0 {
			key := fmt.Sprint(t.Like, t.Type, t.Shape, t.Buffer, t.Channels, t.Quantisation, string(t.Data))
			if at, ok := constants[key]; ok {
				index[i] = at
				continue
			}
			constants[key] = index[i]
		}
		e.Tensors = append(e.Tensors, t)
	}
	return func(t int) int {
		if t >= own {
			return index[t-own]
		}
		return t
	}
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

// permitted returns the matches that the rewriter does not refuse, and the first refusal.
func permitted(m *tflite.Model, list []match, o rewrite.Options) (good []match, refused, err error) {
	_, _, err = apply(m, list, nil, o)
	switch {
	case err == nil:
		return list, nil, nil
	case !errors.As(err, new(*rewrite.RefusedError)):
		return nil, nil, err
	case len(list) == 1:
		return nil, err, nil
	}
	refused = err
	for i := range list {
		one, _, err := permitted(m, list[i:i+1], o)
		if err != nil {
			return nil, nil, err
		}
		good = append(good, one...)
	}
	return good, refused, nil
}
