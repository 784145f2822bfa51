package rules

import "github.com/tflarena/tflarena/schema"

// A takesOver is LiteRT's in-place rule for an operator: the inputs whose memory its first
// output may reuse, and whether the data is unmodified.
type takesOver struct {
	inputs     int // number of inputs, from the first on
	unmodified bool
}

// inPlace is LiteRT's table of kernels with in-place outputs (the inplace_operator flags of
// their registrations, the same for reference and optimised kernels).
var inPlace = map[schema.BuiltinOperator]takesOver{
	schema.BuiltinOperatorRESHAPE:              {1, true},
	schema.BuiltinOperatorEXPAND_DIMS:          {1, true},
	schema.BuiltinOperatorSQUEEZE:              {1, true},
	schema.BuiltinOperatorBITCAST:              {1, true},
	schema.BuiltinOperatorADD:                  {2, false},
	schema.BuiltinOperatorSUB:                  {2, false},
	schema.BuiltinOperatorMUL:                  {2, false},
	schema.BuiltinOperatorDIV:                  {2, false},
	schema.BuiltinOperatorSOFTMAX:              {1, false},
	schema.BuiltinOperatorDYNAMIC_UPDATE_SLICE: {1, false},
}

// scalar is the size in bytes up to which no kernel overwrites its input.
const scalar = 4

// aliases are the groups of tensors that LiteRT puts in the same memory, each identified by its
// root, the tensor whose memory it is (ArenaPlanner::IdentifyInPlaceTensors).
//
// An output joins the group of an input unless one of the two belongs to the caller, or is
// outside the arena. If the kernel modifies the data, the two must also be of equal size above
// [scalar], and neither the input nor the root of its group may have another reader. LiteRT
// does not count readers of tensors between the two: a kernel may overwrite data that one of
// those still forwards. See [Hazard].
type aliases struct {
	*work
	// root maps each tensor that shares memory to its root; roots are missing.
	root map[int]int
	// refs is the number of reads of each tensor, plus one for the caller's.
	refs []int
	// shared and modifies report for each operator whether its output shares memory with an
	// input, and whether it writes other data there.
	shared, modifies []bool
	// input is the tensor whose memory the output of an operator shares.
	input []int
}

// findAliases visits operators in execution order; any valid order gives the same groups.
func (w *work) findAliases() *aliases {
	n := len(w.operators)
	g := &aliases{
		work: w, root: map[int]int{}, refs: make([]int, len(w.constant)),
		shared: make([]bool, n), modifies: make([]bool, n), input: make([]int, n),
	}
	copy(g.refs, w.read)
	add(g.refs, w.sub.Inputs)
	add(g.refs, w.sub.Outputs)
	for i := range w.operators {
		g.operator(i)
	}
	return g
}

func (g *aliases) operator(i int) {
	op := &g.operators[i]
	rule, ok := inPlace[g.builtin(&g.sub.Operators[op.Index])]
	if !ok || len(op.Outputs) == 0 || op.Outputs[0] < 0 {
		return
	}
	out := op.Outputs[0]
	for _, in := range op.Inputs[:min(rule.inputs, len(op.Inputs))] {
		if in < 0 || !g.allowed(in, out, rule) {
			continue
		}
		// LiteRT checks the root of only the first input that qualifies.
		r := g.rootOf(in)
		if rule.unmodified || g.refs[r] <= 1 {
			g.root[out], g.input[i] = r, in
			g.shared[i], g.modifies[i] = true, !rule.unmodified
		}
		return
	}
}

func (g *aliases) rootOf(t int) int {
	if r, ok := g.root[t]; ok {
		return r
	}
	return t
}

func (g *aliases) allowed(in, out int, rule takesOver) bool {
	if in == out || g.sub.Tensors[in].Input || g.sub.Tensors[out].Output || !g.inArena(in) || !g.inArena(out) {
		return false
	}
	from, to := g.sizeOf(in), g.sizeOf(out)
	// For unmodified data, LiteRT drops sharing between unequal sizes at allocation.
	return from == to && (rule.unmodified || from > scalar && g.refs[in] <= 1)
}

// inArena reports whether the tensor is in the planned arena and made by exactly one operator.
func (g *aliases) inArena(t int) bool {
	tensor := &g.sub.Tensors[t]
	return !tensor.Variable && !g.constant[t] && g.made[t] == 1 && g.sizeOf(t) > 0
}

// sizeOf returns the size of a tensor in bytes, zero if unknown.
func (g *aliases) sizeOf(t int) int64 {
	size, reason := g.rules.size(&g.sub.Tensors[t])
	if reason != "" {
		return 0
	}
	return size
}

// shareInPlace replaces operands with their roots, so that a root lives as long as any tensor
// that shares its memory.
func (w *work) shareInPlace() {
	g := w.findAliases()
	for t := range g.root {
		w.aliased[t] = true
	}
	for i := range w.operators {
		op := &w.operators[i]
		op.Inputs = substitute(op.Inputs, g.root)
		op.Outputs = substitute(op.Outputs, g.root)
	}
}
