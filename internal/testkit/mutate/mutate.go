package mutate

import "golang.org/x/exp/slices"

// MaxChanges is the largest number of changes of a recipe.
const MaxChanges = 12

// Mutate changes a model by a recipe, to the end of the recipe or [MaxChanges]. The same recipe changes
// the same model in the same way. Whatever the recipe, [Table.Encode] writes a valid flatbuffer.
func (t *Table) Mutate(by []byte) {
	m := &mutator{recipe: &recipe{by}, model: t}
	for range MaxChanges {
		if len(m.remaining) == 0 {
			return
		}
		one(m.recipe, changes)(m)
	}
}

// A mutator changes a model.
type mutator struct {
	*recipe
	model *Table
}

// changes are the possible changes. Those that affect the planner more are repeated.
var changes = []func(*mutator){
	(*mutator).shape, (*mutator).shape, (*mutator).operands, (*mutator).operands, (*mutator).operands, (*mutator).option, (*mutator).option,
	(*mutator).code, (*mutator).operator, (*mutator).operators, (*mutator).tensors, (*mutator).ends, (*mutator).constant, (*mutator).elementType,
	(*mutator).buffer, (*mutator).subgraphs, (*mutator).optionsType, (*mutator).anything, (*mutator).anything, (*mutator).shapes,
	(*mutator).form, (*mutator).form, (*mutator).name,
}

// list returns the tables of a field.
func (t *Table) list(name string) []*Table {
	if t == nil {
		return nil
	}
	list, _ := t.values[t.of.id(name)].([]*Table)
	return list
}

func (t *Table) set(name string, v any) { t.values[t.of.id(name)] = v }

func (t *Table) setNumber(name string, n int64) {
	id := t.of.id(name)
	t.values[id] = bytes(n, t.of.fields[id].size)
}

// data returns the bytes of a field.
func (t *Table) data(name string) []byte {
	data, _ := t.values[t.of.id(name)].([]byte)
	return data
}

// copied returns a deep copy of a table.
func copied(t *Table) *Table {
	c := &Table{of: t.of, values: make([]any, len(t.values))}
	for id, v := range t.values {
		switch v := v.(type) {
		case *Table:
			c.values[id] = copied(v)
		case []*Table:
			list := []*Table{}
			for _, e := range v {
				list = append(list, copied(e))
			}
			c.values[id] = list
		case []byte:
			c.values[id] = clone(v)
		}
	}
	return c
}

// subgraph returns a subgraph, mostly the first; nil if there is none.
func (m *mutator) subgraph() *Table {
	list := m.model.list("subgraphs")
	if len(list) < 2 || m.below(4) > 0 {
		return one(&recipe{}, list)
	}
	return one(m.recipe, list)
}

func (m *mutator) tensorOf(s *Table) *Table { return one(m.recipe, s.list("tensors")) }

// operands changes the inputs or outputs of an operator.
func (m *mutator) operands() {
	s := m.subgraph()
	op := one(m.recipe, s.list("operators"))
	if op == nil {
		return
	}
	name := one(m.recipe, []string{"inputs", "outputs", "inputs", "outputs", "intermediates"})
	op.set(name, m.numberIn(clone(op.data(name)), 4, m.index(s)))
}

// index returns a function that chooses a tensor, or none.
func (m *mutator) index(s *Table) func() int64 {
	return func() int64 { return int64(m.below(len(s.list("tensors"))+1)) - 1 }
}

// ends changes the inputs or outputs of a subgraph.
func (m *mutator) ends() {
	if s := m.subgraph(); s != nil {
		name := one(m.recipe, []string{"inputs", "outputs"})
		s.set(name, m.numberIn(clone(s.data(name)), 4, m.index(s)))
	}
}

// shape changes the shape of a tensor.
func (m *mutator) shape() {
	if t := m.tensorOf(m.subgraph()); t != nil {
		name := one(m.recipe, []string{"shape", "shape", "shape", "shape_signature"})
		t.set(name, m.numberIn(clone(t.data(name)), 4, func() int64 { return one(m.recipe, dimensions) }))
	}
}

// shapes sets one dimension of all tensors of a subgraph with the same size to another size, so that
// they stay compatible.
func (m *mutator) shapes() {
	at, from, to := 4*m.below(4), m.below(8), one(m.recipe, dimensions)
	s := m.subgraph()
	first := m.tensorOf(s)
	if first == nil || len(first.data("shape")) < at+4 || from == 0 {
		return
	}
	old := clone(first.data("shape")[at:][:4])
	for _, t := range s.list("tensors") {
		if shape := t.data("shape"); len(shape) >= at+4 && slices.Equal(shape[at:at+4], old) {
			copy(shape[at:], bytes(to, 4))
		}
	}
}

// elementType changes the element type of a tensor, or of all tensors of a subgraph with the same type.
func (m *mutator) elementType() {
	s := m.subgraph()
	first := m.tensorOf(s)
	if first == nil {
		return
	}
	id := first.of.id("type")
	old, all, to := first.number(id), m.below(2) == 1, one(m.recipe, first.of.fields[id].values)
	for _, t := range s.list("tensors") {
		if t == first || all && t.number(id) == old {
			t.setNumber("type", to)
		}
	}
}

// buffer gives a tensor another buffer: none, or the constant of another one.
func (m *mutator) buffer() {
	if t := m.tensorOf(m.subgraph()); t != nil {
		t.setNumber("buffer", int64(m.below(len(m.model.list("buffers")))))
	}
}

// constant changes one of the small constants, such as axes and sizes.
func (m *mutator) constant() {
	const most = 256 // bytes
	var few []*Table
	for _, b := range m.model.list("buffers") {
		if n := len(b.data("data")); n > 0 && n <= most {
			few = append(few, b)
		}
	}
	b := one(m.recipe, few)
	switch {
	case b == nil:
	case m.below(8) == 0:
		b.set("data", []byte{})
	default:
		b.set("data", m.numberIn(clone(b.data("data")), one(m.recipe, []int{4, 4, 4, 1, 2, 8}), m.any))
	}
}

// tensors repeats, removes or swaps tensors.
func (m *mutator) tensors() {
	if s := m.subgraph(); s != nil {
		s.set("tensors", in(m.recipe, s.list("tensors"), copied))
	}
}

// operators repeats, removes or swaps operators.
func (m *mutator) operators() {
	if s := m.subgraph(); s != nil {
		s.set("operators", in(m.recipe, s.list("operators"), copied))
	}
}

// subgraphs repeats, removes or swaps subgraphs.
func (m *mutator) subgraphs() {
	if m.below(2) > 0 { // they are large
		m.model.set("subgraphs", in(m.recipe, m.model.list("subgraphs"), copied))
	}
}

// anything changes any field of any table.
func (m *mutator) anything() {
	t := m.model
	for range m.below(8) {
		if next := one(m.recipe, t.held()); next != nil {
			t = next
		}
	}
	m.field(t, m.below(len(t.values)))
}

// held returns the tables in a table.
func (t *Table) held() (list []*Table) {
	for _, v := range t.values {
		switch v := v.(type) {
		case *Table:
			list = append(list, v)
		case []*Table:
			list = append(list, v...)
		}
	}
	return list
}

// field changes, adds or omits a field.
func (m *mutator) field(t *Table, id int) {
	if len(t.values) == 0 {
		return
	}
	f := &t.of.fields[id]
	if t.values[id] != nil && m.below(8) == 0 {
		t.values[id] = nil
		return
	}
	switch f.kind {
	case scalar:
		t.values[id] = bytes(m.scalar(f), f.size)
		m.follow(t, id)
	case numbers, text:
		data, _ := t.values[id].([]byte)
		t.values[id] = m.numberIn(clone(data), f.size, m.any)
	case tables:
		list, _ := t.values[id].([]*Table)
		if len(list) == 0 {
			list = []*Table{m.fresh(f.of)}
		}
		t.values[id] = in(m.recipe, list, copied)
	case table:
		t.values[id] = m.fresh(f.of)
	case union:
		m.follow(t, id-1)
	}
}

// follow adds a table of the type in a union's tag.
func (m *mutator) follow(t *Table, id int) {
	if id+1 >= len(t.of.fields) || t.of.fields[id+1].kind != union {
		return
	}
	t.values[id+1] = nil
	if of := t.of.fields[id+1].member(t.number(id)); of != nil {
		t.values[id+1] = m.fresh(of)
	} else {
		t.values[id] = nil
	}
}

func (m *mutator) scalar(f *field) int64 {
	if len(f.values) > 0 && m.below(8) > 0 {
		return one(m.recipe, f.values)
	}
	return m.any()
}

// fresh returns a table whose numbers are all equal.
func (m *mutator) fresh(of *tableType) *Table { return of.filled(one(m.recipe, smallNumbers)) }

// filled returns a table whose own numbers are all n.
func (t *tableType) filled(n int64) *Table {
	f := &Table{of: t, values: make([]any, len(t.fields))}
	for id := range t.fields {
		tag := id+1 < len(t.fields) && t.fields[id+1].kind == union
		if t.fields[id].kind == scalar && !tag {
			f.values[id] = bytes(n, t.fields[id].size)
		}
	}
	return f
}
