package verify

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// sharing is a pair of tensors that share memory on purpose, and the lowest --alias level that
// permits it.
type sharing struct {
	alias rules.Alias
	p, q  Use
}

// share records a sharing if it needs a higher --alias than all before it.
func (v *verifier) share(s sharing) {
	levels := rules.AllAliases()
	if slices.Index(levels, s.alias) > slices.Index(levels, v.highestAlias.alias) {
		v.highestAlias = s
	}
}

// judgeAlias compares the alias level of the marker with the plan's sharing of memory. A marker
// with too low a level is as wrong as one that names the wrong kernels: a reader accepts the
// plan for kernels that do not support it. A level that is too high is harmless.
func (v *verifier) judgeAlias() {
	marker, levels := v.out.Marker, rules.AllAliases()
	if marker == nil || v.highestAlias.alias == "" {
		return
	}
	f := Finding{Law: LawMarker, Severity: Failure, Path: fmt.Sprintf("metadata[%d]", v.markerEntry())}
	switch says := slices.Index(levels, rules.Alias(marker.Alias)); {
	case says < 0:
		f.Severity = Note
		f.Message = fmt.Sprintf("the marker has the alias level %s, which is unknown: the tensors that share memory in the plan need level %s", marker.Alias, v.highestAlias.alias)
	case says < slices.Index(levels, v.highestAlias.alias):
		f.Tensors = []Use{v.highestAlias.p, v.highestAlias.q}
		f.Message = fmt.Sprintf("the marker says alias level %s, but %s and %s share memory as only level %s permits", marker.Alias, v.highestAlias.p, v.highestAlias.q, v.highestAlias.alias)
	case v.highestAlias.alias == rules.UnmeasuredAlias:
		f.Severity, f.Tensors = Note, []Use{v.highestAlias.p, v.highestAlias.q}
		f.Message = fmt.Sprintf("with alias level %s, only the source of the %s kernels tells that %s may lie over %s: no run has confirmed it", marker.Alias, v.kernels, v.highestAlias.q, v.highestAlias.p)
	default:
		return
	}
	v.out.Findings = slices.Insert(v.out.Findings, v.afterMarker, f)
}

// inPlaceAlias returns the lowest alias level that permits what inPlaceOutput permits.
func inPlaceAlias(v *verifier, p, q pinned) rules.Alias {
	if v.least == nil {
		v.least = map[takeover]rules.Alias{}
		places := v.view.Usage.Places
		for _, a := range []rules.Alias{rules.OverwriteAlias, rules.ElementwiseAlias, rules.SafeAlias} {
			for _, t := range v.view.Takeovers(a) {
				v.least[takeover{places[t.From], places[t.To], t.Offset}] = a
			}
		}
	}
	a := lifetime.Place{Subgraph: p.subgraph, Tensor: p.tensor}
	b := lifetime.Place{Subgraph: q.subgraph, Tensor: q.tensor}
	x, y := v.least[takeover{a, b, q.Start - p.Start}], v.least[takeover{b, a, p.Start - q.Start}]
	if levels := rules.AllAliases(); x == "" || y != "" && slices.Index(levels, y) < slices.Index(levels, x) {
		return y
	}
	return x
}

func consumedAlias(*verifier, pinned, pinned) rules.Alias { return rules.OverwriteAlias }

// overlappingOutputAlias returns the lowest alias level that permits what overlappingOutput permits.
func overlappingOutputAlias(v *verifier, p, q pinned) rules.Alias {
	if v.overlapAlias() == rules.DiagonalAlias {
		return rules.DiagonalAlias
	}
	if v.measured == nil {
		v.measured = v.overlapsOf(rules.DiagonalAlias)
	}
	a := lifetime.Place{Subgraph: p.subgraph, Tensor: p.tensor}
	b := lifetime.Place{Subgraph: q.subgraph, Tensor: q.tensor}
	if v.measured[[2]lifetime.Place{a, b}] != nil || v.measured[[2]lifetime.Place{b, a}] != nil {
		return rules.DiagonalAlias
	}
	return rules.UnmeasuredAlias
}

// overlapAlias returns the permitted level of overlaps. Access orders known only from kernel
// sources count only if the marker declares that the plan relies on them.
func (v *verifier) overlapAlias() rules.Alias {
	if m := v.out.Marker; m != nil && m.Alias == string(rules.UnmeasuredAlias) {
		return rules.UnmeasuredAlias
	}
	return rules.DiagonalAlias
}
