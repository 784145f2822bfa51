package results

import (
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/rewrite/shrink"
)

// A Bottleneck is what limits the size of a model, and the operator with the most live bytes.
type Bottleneck struct {
	// What limits the result: "tensors" or "scratch" of the operator with the most live bytes, the "tail" if it is larger
	// than the head and the arena counts, or "setup", memory that the runtime needs temporarily while it allocates.
	Cause    shrink.Cause `json:"cause"`
	Subgraph int          `json:"subgraph"`
	// Index of the operator in the model reached; -1 before the first one runs.
	Operator int `json:"operator"`
	// Kind of the operator, such as CONV_2D, or its custom code. Empty before the first one runs.
	Name string `json:"name"`
	// Live bytes at this operator, with in-place and overlapping outputs: bytes that several tensors share count once. A
	// plan with the same sharing has at least this head.
	Bytes int64 `json:"live_bytes"`
	// Part of the live bytes that is scratch of kernels.
	ScratchBytes int64 `json:"scratch_bytes"`
	// Kernel library, or file, that the scratch is from.
	ScratchSource string `json:"scratch_source"`
	// Live tensors at the operator, the largest first.
	Tensors []BottleneckTensor `json:"tensors"`
	// Items of the tail, the largest first. Empty unless the cause is "tail" or "setup".
	Tail []TailItem `json:"tail"`
	// Stage of the allocation at which most of the arena is in use. Empty unless the cause is "tail" or "setup".
	Stage string `json:"required_decided_by"`
	// Why it is not smaller, for people: for example, why the operator is not tiled, or not tiled further.
	Reasons []string `json:"reasons"`

	required int64
}

// A BottleneckTensor is a live tensor at a bottleneck.
type BottleneckTensor struct {
	ID string `json:"id"`
	// Name in the file.
	Name string `json:"name"`
	// Memory of the tensor in bytes, as the runtime rounds it.
	Bytes int64 `json:"size_bytes"`
	// Part of the memory that is live, in bytes: less than all if the tensor is overwritten slice by slice.
	Held int64 `json:"held_bytes"`
	// Part of held_bytes that no tensor before it in the list shares. 0 if the tensor is in place.
	Added int64 `json:"added_bytes"`
}

// A TailItem is an item of the tail.
type TailItem struct {
	// Name of the item, such as "kernel data".
	Name string `json:"name"`
	// Size of the item in bytes.
	Bytes int64 `json:"size_bytes"`
}

// NewBottleneck returns a bottleneck as a result, nil for nil.
func NewBottleneck(b *shrink.Bottleneck) *Bottleneck {
	if b == nil {
		return nil
	}
	n := &Bottleneck{
		Cause: b.Cause, Subgraph: b.Subgraph, Operator: b.Operator, Name: b.Name, Bytes: b.Bytes, ScratchBytes: b.Scratch, ScratchSource: b.ScratchSource,
		Tensors: []BottleneckTensor{}, Tail: []TailItem{}, Stage: b.Stage, Reasons: present(b.Reasons), required: b.Required,
	}
	for _, t := range b.Tensors {
		n.Tensors = append(n.Tensors, BottleneckTensor{ID: t.ID, Name: t.Name, Bytes: t.Size, Held: t.Held, Added: t.Added})
	}
	for _, p := range b.Tail {
		n.Tail = append(n.Tail, TailItem{Name: p.Name, Bytes: p.Bytes})
	}
	return n
}

// shown is the number of tensors, or of items of the tail, in text.
const shown = 4

// String returns what limits the model, for a sentence.
func (n *Bottleneck) String() string { return n.limit(Style{}) }

// text writes what limits the model, and why it is not smaller.
func (n *Bottleneck) text(s Style, b *strings.Builder, why bool) {
	if n == nil {
		return
	}
	s.line(b, "limited by", n.limit(s))
	if n.required > 0 {
		s.line(b, "peak", n.peak(s))
	}
	for _, reason := range n.Reasons {
		if why {
			s.line(b, "reason", reason)
		}
	}
}

// limit returns the cause.
func (n *Bottleneck) limit(s Style) string {
	switch n.Cause {
	case shrink.BySetup:
		return fmt.Sprintf("setup: %s are in use when %s", s.bytes(n.required), n.Stage)
	case shrink.ByTail:
		var list []string
		for _, p := range n.Tail {
			if len(list) < shown && p.Bytes > 0 {
				list = append(list, fmt.Sprintf("%s of %s B", p.Name, s.exact(p.Bytes)))
			}
		}
		return "tail: " + strings.Join(list, ", ")
	case shrink.ByScratch:
		return fmt.Sprintf("scratch of %s (kernels: %s), %s live: %s", n.operator(), n.ScratchSource, s.bytes(n.Bytes), strings.Join(n.live(s), ", "))
	}
	return n.peak(s)
}

// operator names the operator.
func (n *Bottleneck) operator() string {
	switch {
	case n.Operator >= 0:
		return fmt.Sprintf("%s (%d:%d)", tables.Printable(n.Name), n.Subgraph, n.Operator)
	case n.Subgraph > 0:
		return fmt.Sprintf("the inputs of subgraph %d", n.Subgraph)
	}
	return "the inputs"
}

// peak returns the operator with the most live bytes, and what is live there.
func (n *Bottleneck) peak(s Style) string {
	return fmt.Sprintf("%s, %s live: %s", n.operator(), s.bytes(n.Bytes), strings.Join(n.live(s), ", "))
}

// live lists the scratch, if there is any, and the largest tensors.
func (n *Bottleneck) live(s Style) (list []string) {
	if n.ScratchBytes > 0 {
		list = append(list, fmt.Sprintf("scratch of %s B", s.exact(n.ScratchBytes)))
	}
	label := "tensors "
	for i, t := range n.Tensors {
		if i == shown {
			return append(list, fmt.Sprintf("%d more", len(n.Tensors)-i))
		}
		list = append(list, label+t.text(s))
		label = ""
	}
	return list
}

// text returns the tensor with its memory, and how much of it counts.
func (t *BottleneckTensor) text(s Style) string {
	switch {
	case t.Added == 0:
		return fmt.Sprintf("%s of %s B in place", t.ID, s.exact(t.Bytes))
	case t.Added < t.Bytes:
		return fmt.Sprintf("%s with %s of %s B", t.ID, s.exact(t.Added), s.exact(t.Bytes))
	}
	return fmt.Sprintf("%s of %s B", t.ID, s.exact(t.Bytes))
}
