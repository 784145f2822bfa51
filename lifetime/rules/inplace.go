package rules

import "github.com/tflarena/tflarena/schema"

// How an operator may share memory: which inputs its first output may take over,
// and whether the data stays as it is.
type sharing struct {
	inputs     int // the first so many inputs
	unmodified bool
}

// inPlace is LiteRT's table of kernels that may share (the inplace_operator flags
// of their registrations).
var inPlace = map[schema.BuiltinOperator]sharing{
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

// shareInPlace lets outputs take over inputs by LiteRT's conditions
// (ArenaPlanner::IdentifyInPlaceTensors): neither end is a graph input or output,
// and, unless the data stays as it is, both are of equal size above four bytes and
// nothing else reads the input or what it already shares. The tensor at the root of
// a chain then stands for all of it.
func (w *work) shareInPlace() {
	g := &aliases{work: w, root: map[int]int{}, reads: map[int]int{}, members: map[int]int{}}
	for i := range w.operators {
		op := &w.operators[i]
		rule, ok := inPlace[w.builtin(&w.sub.Operators[op.Index])]
		if !ok || len(op.Outputs) == 0 || op.Outputs[0] < 0 {
			continue
		}
		for _, in := range op.Inputs[:min(rule.inputs, len(op.Inputs))] {
			if in >= 0 && g.allowed(in, op.Outputs[0], rule) {
				g.join(op.Outputs[0], in)
				break
			}
		}
	}
	g.rename()
}

// aliases are the groups of tensors that share memory, each known by its root.
type aliases struct {
	*work
	root           map[int]int
	reads, members map[int]int // of each root's group
}

func (g *aliases) rootOf(t int) int {
	if r, ok := g.root[t]; ok {
		return r
	}
	return t
}

func (g *aliases) join(out, in int) {
	r := g.rootOf(in)
	if g.members[r] == 0 {
		g.members[r], g.reads[r] = 1, g.read[r]
	}
	g.root[out] = r
	g.members[r]++
	g.reads[r] += g.read[out]
	g.aliased[out] = true
}

func (g *aliases) allowed(in, out int, rule sharing) bool {
	if in == out || !g.plain(in) || !g.plain(out) {
		return false
	}
	from, reason := g.rules.size(&g.sub.Tensors[in])
	to, other := g.rules.size(&g.sub.Tensors[out])
	// At allocation a share between unequal sizes is dropped again.
	if reason != "" || other != "" || from != to {
		return false
	}
	return rule.unmodified || from > 4 && g.read[in] == 1 && g.othersDone(in)
}

// plain reports whether the tensor is an ordinary one that one operator makes.
func (g *aliases) plain(t int) bool {
	tensor := &g.sub.Tensors[t]
	_, aliased := g.root[t]
	return !tensor.Input && !tensor.Output && !tensor.Variable && !g.constant[t] &&
		(g.made[t] == 1 || aliased)
}

// othersDone reports whether the tensors that share memory with t are read by
// nothing but the operators that link the group together.
func (g *aliases) othersDone(t int) bool {
	r := g.rootOf(t)
	return g.members[r] == 0 || g.reads[r]-g.read[t] <= g.members[r]-1
}

// rename makes the operators name the roots, so that a root lives as long as any
// tensor that shares its memory.
func (g *aliases) rename() {
	for i := range g.operators {
		op := &g.operators[i]
		op.Inputs = substitute(op.Inputs, g.root)
		op.Outputs = substitute(op.Outputs, g.root)
	}
}
