package rules

import (
	"fmt"

	"github.com/tflarena/tflarena/tflite"
)

// A Note is a limitation or assumption of a view's figures.
type Note struct {
	Kind NoteKind
	// Text is for display: a sentence without a full stop.
	Text string
}

// A NoteKind is the subject of a [Note].
type NoteKind int

// The kinds of notes.
const (
	NotCounted   NoteKind = iota // memory that the figures omit
	Unused                       // unused tensors that take memory nevertheless
	SeenAsActive                 // constants that the runtime treats as activations
	HiddenCalls                  // control flow that older runtimes do not follow
	OneSubgraph                  // only one of several subgraphs is planned
	DynamicShape                 // tensors with a dynamic dimension
	NoShape                      // operator outputs without a shape
	NeedsDriver                  // operators whose kernel is only in some builds
)

// NotesWithScratch returns [View.Notes] for figures that count kernel scratch, as in
// [View.WithScratch].
func (v *View) NotesWithScratch() []Note { return v.explain(true) }

// NoteTexts returns the texts of notes, which is never nil.
func NoteTexts(notes []Note) []string {
	texts := make([]string, 0, len(notes))
	for _, n := range notes {
		texts = append(texts, n.Text)
	}
	return texts
}

// explain returns the notes on the figures; scratch reports that they count kernel scratch.
func (v *View) explain(scratch bool) []Note {
	var e explainer
	if v.Rules.IsMicro() {
		leftOut := "this is the head without kernel scratch; the tail and the memory for planning are not counted either"
		if scratch {
			leftOut = "this is the head, with kernel scratch; the tail and the memory for planning are not counted"
		}
		e.always(NotCounted, leftOut)
		e.note(Unused, v.countRecordsBefore(0), "tensor is", "tensors are", "never used, or in a subgraph that is never called; the runtime still reserves memory for that")
		e.note(SeenAsActive, v.count(v.Model.IsOutside), "constant lies", "constants lie", "behind the flatbuffer or in another file; the runtime does not see that and plans for activations")
		e.note(HiddenCalls, CountHiddenCalls(v.Model), "control-flow operator has", "control-flow operators have", "a code only in the deprecated field; runtimes built before "+OlderMicroUntil+" do not follow it and plan more memory")
		e.note(NeedsDriver, v.countCustom(ethosU), "operator is", "operators are", "for an Ethos-U; the kernel is in builds of the runtime with the Ethos-U driver (AddEthosU)")
	} else if v.Rules.LateSizes {
		e.always(NotCounted, "kernel temporaries and the persistent arena of variables are not counted; tensors that LiteRT has on the heap, since their size depends on data, are")
	} else if v.Rules.IsLiteRT() {
		e.always(NotCounted, "kernel temporaries, dynamic tensors and the persistent arena of variables are not counted")
	}
	if n := len(v.Model.Subgraphs); !v.Rules.Scopes && n > 1 {
		e.always(OneSubgraph, fmt.Sprintf("this is subgraph %d of %d; each is planned on its own", v.Subgraph, n))
	}
	e.note(DynamicShape, v.count((*tflite.Tensor).Dynamic), "tensor has", "tensors have", "a dynamic dimension; what counts is the shape in the file")
	e.note(NoShape, v.count(v.shapeless), "operator output is", "operator outputs are", "declared without a shape and counted as one element; the real shape is known only at run time")
	return e.notes
}

// An explainer collects notes.
type explainer struct{ notes []Note }

func (e *explainer) always(kind NoteKind, text string) {
	e.notes = append(e.notes, Note{kind, text})
}

// note adds a note on n things, or nothing if n is 0.
func (e *explainer) note(kind NoteKind, n int, one, many, rest string) {
	if n > 0 {
		e.always(kind, counted(n, one, many)+" "+rest)
	}
}

// counted returns n with the words for one or for many.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// count counts the tensors of the planned subgraphs for which is holds.
func (v *View) count(is func(*tflite.Tensor) bool) int {
	n := 0
	for i := range v.Model.Subgraphs {
		if v.Subgraph >= 0 && i != v.Subgraph {
			continue
		}
		s := &v.Model.Subgraphs[i]
		for j := range s.Tensors {
			if is(&s.Tensors[j]) {
				n++
			}
		}
	}
	return n
}

// countRecordsBefore counts the records that end before a position.
func (v *View) countRecordsBefore(position int) int {
	n := 0
	for _, r := range v.Usage.Records {
		if r.Last < position {
			n++
		}
	}
	return n
}

// shapeless reports whether the shape of an operator's output is unknown: no dimension, no
// rank, and an operator that decides at run time.
func (v *View) shapeless(t *tflite.Tensor) bool {
	return len(t.Shape) == 0 && !t.HasRank && !t.Constant && t.Output && t.Producer >= 0
}

// ethosU is the custom operator of the Ethos-U compiler.
const ethosU = "ethos-u"

// countCustom counts the custom operators with the given name in the planned subgraphs.
func (v *View) countCustom(name string) (n int) {
	for i := range v.Model.Subgraphs {
		if v.Subgraph >= 0 && i != v.Subgraph {
			continue
		}
		for _, op := range v.Model.Subgraphs[i].Operators {
			if v.Model.OperatorCodes[op.Code].Custom == name {
				n++
			}
		}
	}
	return n
}

// CountHiddenCalls returns the number of operators that [OlderMicro] does not recognise as
// control flow.
func CountHiddenCalls(m *tflite.Model) (n int) {
	for i := range m.Subgraphs {
		for _, op := range m.Subgraphs[i].Operators {
			if m.OperatorCodes[op.Code].HidesCalls() {
				n++
			}
		}
	}
	return n
}
