package rules

// A Reason explains why a tensor has no usage record.
type Reason string

// All reasons.
const (
	Constant          Reason = "constant"
	Variable          Reason = "variable, kept in persistent memory"
	VariableHandle    Reason = "variable handle"
	Decompressed      Reason = "in the decompression memory"
	ZeroSize          Reason = "zero size"
	NoStaticSize      Reason = "type without a static size"
	UnknownDimensions Reason = "unknown dimensions"
	TooLarge          Reason = "size beyond 2^40 bytes"
	GraphInput        Reason = "graph input"
	GraphOutput       Reason = "graph output"
	Unread            Reason = "made but never read"
	NeverMade         Reason = "never made"
	Untouched         Reason = "never used"
	Dropped           Reason = "made by an operator that was dropped or merged"
	Aliased           Reason = "shares the memory of an input"
)

// LeftOut is a tensor without a usage record.
type LeftOut struct {
	Subgraph, Tensor int
	// ID is "SUBGRAPH:TENSOR".
	ID, Name string
	Reason   Reason
}

// A ReasonCount is the number of tensors omitted for one reason.
type ReasonCount struct {
	Reason  Reason
	Tensors int
}

// CountLeftOut returns the number of omitted tensors per reason, in order of first occurrence.
func (v *View) CountLeftOut() []ReasonCount {
	var counts []ReasonCount
	index := map[Reason]int{}
	for _, l := range v.LeftOut {
		i, ok := index[l.Reason]
		if !ok {
			i = len(counts)
			index[l.Reason] = i
			counts = append(counts, ReasonCount{Reason: l.Reason})
		}
		counts[i].Tensors++
	}
	return counts
}
