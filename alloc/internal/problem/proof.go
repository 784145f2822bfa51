package problem

import (
	"fmt"

	"github.com/tflarena/tflarena/internal/units"
)

// A Bound is a lower bound in bytes, and its origin. The zero Bound is no bound.
type Bound struct {
	Bytes int64
	Kind  BoundKind
	// Reason describes a bound of kind [Stated], as a noun phrase.
	Reason string
	// Sums reports that Bytes is the smallest sum of sizes that is no smaller than a bound of Kind, if
	// every total is a sum of sizes.
	Sums bool
}

// A BoundKind is the origin of a lower bound.
type BoundKind int

// The kinds of lower bounds.
const (
	Stated        BoundKind = iota // stated by Bound.Reason
	Breadth                        // the most bytes in use at one operator
	PaddedBreadth                  // the same, with padding for alignments
	LargestSize                    // the size of one tensor
	LastPin                        // the end of a pinned tensor
)

// String returns a noun phrase that describes the bound.
func (b Bound) String() string {
	text := map[BoundKind]string{
		Stated:        b.Reason,
		Breadth:       "the largest operator breadth",
		PaddedBreadth: "the largest operator breadth with the padding that alignments force",
		LargestSize:   "the size of the largest tensor",
		LastPin:       "the end of a pinned tensor",
	}[b.Kind]
	if b.Sums {
		return "the smallest sum of sizes from " + text + " on, which every total is"
	}
	return text
}

// A Proof is the reason why no plan is smaller, or why none fits into a capacity. The zero Proof is no
// proof.
type Proof struct {
	Kind ProofKind
	// Bound is the lower bound that the total equals, of a proof [ByBound], or that exceeds the capacity,
	// of a proof [ByExcess].
	Bound Bound
	// Text is the proof as a sentence, if that does not follow from Bound.
	Text string
}

// A ProofKind is the kind of a proof.
type ProofKind int

// The kinds of proofs.
const (
	Unproven ProofKind = iota
	ByBound            // the total equals a lower bound
	BySearch           // a search for a smaller total, or for one within the capacity, is complete
	ByExcess           // a lower bound exceeds the capacity
)

// String returns the proof as a sentence, "" for none.
func (p Proof) String() string {
	reason := p.Bound.String()
	switch {
	case p.Text != "" || p.Kind == Unproven:
		return p.Text
	case p.Kind == ByExcess:
		return fmt.Sprintf("%s is %s", p.Bound, units.ExactBytes(p.Bound.Bytes))
	case reason == "":
		return "the total equals the lower bound"
	}
	return "the total equals the lower bound: " + reason
}
