package rules

import "github.com/tflarena/tflarena/schema"

// A takesOver says how an operator may share memory in LiteRT: which inputs its first output
// may take over, and whether the data stays as it is.
type takesOver struct {
	inputs     int // how many inputs, from the first on
	unmodified bool
}

// inPlace is LiteRT's table of kernels that may share (the inplace_operator flags
// of their registrations, reference and optimised ones alike).
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

// aliases are the groups of tensors that LiteRT puts in the same memory, each known by
// its root, the tensor whose memory it is (ArenaPlanner::IdentifyInPlaceTensors).
//
// An output joins the group of an input unless one of the two is the caller's, or lies
// elsewhere than in the arena. Where the kernel writes other data, the two must also be
// of equal size above [scalar], the input may have one reader alone, and so may the root
// of its group. LiteRT counts no readers of tensors between the two: a kernel may write
// over data that one of those still hands on. See [Hazard].
type aliases struct {
	*work
	// root has the root of each tensor that shares memory but is no root itself.
	root map[int]int
	// refs is how often tensors are read, those of the caller's once more.
	refs []int
	// shared and modifies say of each operator whether its output shares memory with an
	// input, and whether the operator writes other data there.
	shared, modifies []bool
	// input is the tensor whose memory the output of an operator shares.
	input []int
}

// findAliases looks at operators in the order in which they run; any order in which
// nothing is read before it is made gives the same groups.
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
		// The first input that qualifies is the only one whose root is looked at.
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
	// Where the data stays as it is, a share between unequal sizes is dropped at
	// allocation.
	return from == to && (rule.unmodified || from > scalar && g.refs[in] <= 1)
}

// inArena reports whether the tensor lies in the arena that is planned, and one operator
// makes it.
func (g *aliases) inArena(t int) bool {
	tensor := &g.sub.Tensors[t]
	return !tensor.Variable && !g.constant[t] && g.made[t] == 1 && g.sizeOf(t) > 0
}

// sizeOf returns the size of a tensor in bytes, zero where it has none that is known.
func (g *aliases) sizeOf(t int) int64 {
	size, reason := g.rules.size(&g.sub.Tensors[t])
	if reason != "" {
		return 0
	}
	return size
}

// shareInPlace makes the operators name the roots, so that a root lives as long as any
// tensor that shares its memory.
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
