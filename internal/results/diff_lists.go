package results

import (
	"cmp"
	"fmt"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/modeldiff"
	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/internal/units"
)

// operatorLines counts the operators and lists the differing ones, unless nearly all differ.
func (d *Diff) operatorLines(b *strings.Builder, s Style) {
	l := &d.Operators
	moved := func(part string) bool { return part == "order" }
	s.line(b, "operators", tally(d.A.Operators, d.B.Operators, []amount{
		{l.Differing(moved), "moved"},
		{l.Differing(not(moved)), "changed"},
		{len(l.Removed), "removed" + s.kinds(l.Removed)},
		{len(l.Added), "added" + s.kinds(l.Added)},
		{d.hidden.operators, "in tiled blocks"},
	}))
	if d.Unlike {
		return
	}
	var places, changes []string
	for _, c := range l.Changed {
		if slices.ContainsFunc(c.Changed, moved) {
			places = append(places, fmt.Sprintf("%s now %s", s.operator(c.A), c.B.ID()))
		}
		if slices.ContainsFunc(c.Changed, not(moved)) {
			changes = append(changes, s.operatorChange(c))
		}
	}
	s.lines(b, "moved", places)
	s.lines(b, "changed", changes)
	s.lines(b, "removed", texts(l.Removed, s.operator))
	s.lines(b, "added", texts(l.Added, s.operator))
}

func (s Style) operator(o modeldiff.Operator) string { return "Op# " + o.ID() + " " + s.name(o.Name) }

// operatorChange names an operator and its differing parts.
func (s Style) operatorChange(c modeldiff.Change[modeldiff.Operator]) string {
	text := s.operator(c.A)
	if c.A.Name != c.B.Name {
		text += " -> " + s.name(c.B.Name)
	}
	parts := slices.DeleteFunc(slices.Clone(c.Changed), func(part string) bool { return part == "order" })
	return text + ": " + strings.Join(parts, ", ")
}

// kinds returns the number of operators of each kind, most first, in parentheses.
func (s Style) kinds(list []modeldiff.Operator) string {
	if len(list) == 0 {
		return ""
	}
	counts := map[string]int{}
	var names []string
	for _, o := range list {
		if counts[o.Name]++; counts[o.Name] == 1 {
			names = append(names, o.Name)
		}
	}
	slices.SortFunc(names, func(x, y string) int {
		return cmp.Or(cmp.Compare(counts[y], counts[x]), cmp.Compare(x, y))
	})
	for i, name := range names {
		names[i] = units.Number(int64(counts[name])) + " " + s.name(name)
	}
	return " (" + listed(names, s.Top) + ")"
}

// tensorLines counts the tensors and lists added, removed, resized and renamed ones.
func (d *Diff) tensorLines(b *strings.Builder, s Style) {
	l := &d.Tensors
	in := func(words ...string) int {
		return l.Differing(func(part string) bool { return slices.Contains(words, part) })
	}
	s.line(b, "tensors", tally(d.A.Tensors, d.B.Tensors, []amount{
		{in("size"), "resized"},
		{in("name"), "renamed"},
		{in("role"), "in another role"},
		{in("data"), "with other data"},
		{in("index"), "at another index"},
		{len(l.Removed), "removed"},
		{len(l.Added), "added"},
		{d.hidden.tensors, "in tiled blocks"},
	}))
	if d.Unlike {
		return
	}
	changes := slices.Clone(l.Changed)
	largest(changes, func(c modeldiff.Change[modeldiff.Tensor]) (bool, int64) {
		return c.A.Constant && c.B.Constant, int64(max(c.B.SizeBytes-c.A.SizeBytes, c.A.SizeBytes-c.B.SizeBytes))
	})
	var sizes, names []string
	for _, c := range changes {
		if slices.Contains(c.Changed, "size") {
			sizes = append(sizes, s.resized(c))
		} else if slices.Contains(c.Changed, "name") {
			names = append(names, fmt.Sprintf("T# %s %s now %s", c.A.ID, s.name(c.A.Name), cmp.Or(s.name(c.B.Name), "unnamed")))
		}
	}
	s.lines(b, "resized", sizes)
	s.lines(b, "renamed", names)
	s.lines(b, "removed", s.tensors(l.Removed))
	s.lines(b, "added", s.tensors(l.Added))
}

func (s Style) resized(c modeldiff.Change[modeldiff.Tensor]) string {
	text := "T# " + c.A.ID + " " + s.name(c.A.Name)
	if c.A.Name != c.B.Name {
		text += " now " + cmp.Or(s.name(c.B.Name), "unnamed")
	}
	text += ": " + s.name(c.A.Type()) + " -> " + s.name(c.B.Type())
	if c.A.SizeBytes >= 0 && c.B.SizeBytes >= 0 {
		text += ", " + s.exact(int64(c.A.SizeBytes)) + " -> " + s.bytes(int64(c.B.SizeBytes))
	}
	return text + constant(c.A.Constant && c.B.Constant)
}

// tensors writes tensors.
func (s Style) tensors(list []modeldiff.Tensor) []string {
	list = slices.Clone(list)
	largest(list, func(t modeldiff.Tensor) (bool, int64) { return t.Constant, int64(t.SizeBytes) })
	return texts(list, func(t modeldiff.Tensor) string {
		text := fmt.Sprintf("T# %s %s: %s", t.ID, s.name(t.Name), s.name(t.Type()))
		if t.SizeBytes >= 0 {
			text += ", " + s.bytes(int64(t.SizeBytes))
		}
		return text + constant(t.Constant)
	})
}

// largest sorts a list by descending size, equal ones in order, with the constants, which are not in
// the arena, last.
func largest[T any](list []T, of func(T) (constant bool, size int64)) {
	slices.SortStableFunc(list, func(x, y T) int {
		a, m := of(x)
		b, n := of(y)
		if a != b && a {
			return 1
		} else if a != b {
			return -1
		}
		return cmp.Compare(n, m)
	})
}

func constant(is bool) string {
	if is {
		return " (constant)"
	}
	return ""
}

// metadataLines lists the differing metadata.
func (s Style) metadataLines(b *strings.Builder, d *modeldiff.Metadata) {
	for _, l := range []struct {
		what string
		list []string
	}{{"added", d.Added}, {"removed", d.Removed}, {"changed", d.Changed}} {
		if len(l.list) > 0 {
			s.line(b, "metadata", l.what+": "+listed(s.names(l.list), s.Top))
		}
	}
}

// An amount is a number of elements with their change.
type amount struct {
	n    int
	what string
}

// tally writes both numbers of elements and the changes.
func tally(a, b int, amounts []amount) string {
	text := units.Number(int64(a))
	if a != b {
		text += " -> " + units.Number(int64(b))
	}
	var parts []string
	for _, x := range amounts {
		if x.n > 0 {
			parts = append(parts, units.Number(int64(x.n))+" "+x.what)
		}
	}
	if len(parts) == 0 {
		return text + ", the same"
	}
	return text + ": " + strings.Join(parts, ", ")
}

// listed joins words, limited to the first unless top is 0.
func listed(words []string, top int) string {
	if more := len(words) - top; top > 0 && more > 1 {
		return strings.Join(words[:top], ", ") + ", " + count(more, "other")
	}
	return strings.Join(words, ", ")
}

func texts[T any](list []T, text func(T) string) []string {
	var all []string
	for _, x := range list {
		all = append(all, text(x))
	}
	return all
}

// lines writes a line for each text, limited to the first unless Top is 0.
func (s Style) lines(b *strings.Builder, label string, texts []string) {
	for i, text := range texts {
		if more := len(texts) - i; s.Top > 0 && i == s.Top && more > 1 {
			s.line(b, label, fmt.Sprintf("(%s)", count(more, "other")))
			return
		}
		s.line(b, label, text)
	}
}

// name shortens and escapes a name from a file for a sentence.
func (s Style) name(text string) string {
	const most = 40
	text = tables.Printable(text)
	if s.Width > 0 {
		text = tables.Elide(text, most)
	}
	return text
}

func (s Style) names(list []string) []string { return texts(list, s.name) }
