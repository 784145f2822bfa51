package pickle

// build runs the opcodes that make and fill containers.
func (m *machine) build(op byte) {
	switch op {
	case opEmptyDict:
		m.push(m.container(Dict))
	case opEmptyList:
		m.push(m.container(List))
	case opEmptySet:
		m.push(m.container(Set))
	case opEmptyTuple:
		m.tuple(nil)
	case opSetItems:
		items := m.popMark()
		m.set(m.top(), items)
	case opSetItem:
		value, key := m.pop(), m.pop()
		m.set(m.top(), []Value{key, value})
	case opAppends:
		items := m.popMark()
		m.append(m.top(), items)
	case opAppend:
		item := m.pop()
		m.append(m.top(), []Value{item})
	case opAddItems:
		items := m.popMark()
		m.insert(m.top(), items)
	case opTuple1, opTuple2, opTuple3:
		n := int(op) - opTuple1 + 1
		if len(m.stack)-m.base() < n {
			m.fail("the stack has fewer than %d values", n)
			return
		}
		items := m.stack[len(m.stack)-n:]
		m.stack = m.stack[:len(m.stack)-n]
		m.tuple(items)
	case opTuple:
		m.tuple(m.popMark())
	case opList:
		items := m.popMark()
		v := m.container(List)
		m.append(v, items)
		m.push(v)
	case opDict:
		items := m.popMark()
		v := m.container(Dict)
		m.set(v, items)
		m.push(v)
	case opFrozenSet:
		items := m.popMark()
		v := m.container(Set)
		m.insert(v, items)
		m.push(v)
	}
}

func (m *machine) container(k Kind) Value {
	const most = 1<<31 - 1 // containers are counted in 32 bits
	if m.tree.headers.n >= most {
		m.fail("there are more than %d containers", most)
		return noValue
	}
	return valueOf(k, m.tree.container(m.at))
}

// expectKind reports whether v has the kind that an opcode fills, and fails otherwise.
func (m *machine) expectKind(v Value, k Kind) bool {
	if m.err == nil && v.kind() != k {
		m.fail("the opcode is for %s, and this is %s", k, v.Kind())
	}
	return m.err == nil
}

// set sets keys of a dict.
func (m *machine) set(dict Value, pairs []Value) {
	if !m.expectKind(dict, Dict) {
		return
	}
	if len(pairs)%2 != 0 {
		m.fail("a key has no value")
		return
	}
	if m.tree.headers.at(dict.payload()).class() == foldedClass {
		m.fail("a dict changes after it became the item of a list")
		return
	}
	for i := 0; i < len(pairs); i += 2 {
		m.hashable(pairs[i])
	}
	m.tree.add(dict.payload(), pairs)
}

// insert adds items to a set.
func (m *machine) insert(set Value, items []Value) {
	if !m.expectKind(set, Set) {
		return
	}
	for _, v := range items {
		m.hashable(v)
	}
	m.tree.add(set.payload(), items)
}

func (m *machine) hashable(v Value) {
	if k := v.kind(); k == List || k == Dict || k == Folded {
		m.fail("%s cannot be a key", k)
	}
}

// append appends items to a list. It offers each dict to the fold.
func (m *machine) append(list Value, items []Value) {
	if !m.expectKind(list, List) {
		return
	}
	for i, v := range items {
		if v.kind() == Dict && m.fold != nil {
			if items[i] = m.folded(v); m.err != nil {
				return
			}
		}
	}
	const most = 16 // bytes of the file per item: estimates of shorter items are not trusted
	m.tree.perByte, m.tree.most = float64(len(m.data))/float64(m.at+1), len(m.data)/most
	m.tree.add(list.payload(), items)
}

// folded offers a dict to the fold.
func (m *machine) folded(dict Value) Value {
	h := m.tree.headers.at(dict.payload())
	if h.class() == foldedClass {
		return valueOf(Folded, int(h.block))
	}
	token, ok, err := m.fold(m.tree, dict)
	if err != nil {
		m.err = err
	}
	if err != nil || !ok {
		return dict
	}
	m.tree.release(h)
	h.n, h.block = 0, uint32(token)
	h.setClass(foldedClass)
	return valueOf(Folded, token)
}

// tuple pushes a tuple. Equal short tuples are shared, since each of a million dicts may have the same
// pair of numbers.
func (m *machine) tuple(items []Value) {
	const most, entryBytes = 1 << 12, 128
	var key [4]Value
	short := len(items) < len(key)
	if short {
		key[0] = Value(len(items))
		for i, v := range items {
			key[i+1] = v
			short = short && !v.isContainer()
		}
	}
	if short && m.lastTuple != 0 && key == m.lastKey {
		m.push(m.lastTuple)
		return
	}
	if known, ok := m.tuples[key]; ok && short {
		m.lastKey, m.lastTuple = key, known
		m.push(known)
		return
	}
	v := m.container(Tuple)
	m.tree.add(v.payload(), items)
	if short && len(m.tuples) < most && m.err == nil {
		if m.tuples == nil {
			m.tuples = map[[4]Value]Value{}
		}
		m.tuples[key] = v
		m.extra += entryBytes
	}
	m.push(v)
}
