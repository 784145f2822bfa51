package mutate

// forms replace the shape of a tensor by one of another rank, in bytes of INT32: absent, scalar,
// without its first or last dimension, with another one, flat, and with an empty dimension.
var forms = []func(shape []byte) []byte{
	func([]byte) []byte { return nil },
	func([]byte) []byte { return []byte{} },
	func(shape []byte) []byte { return shape[min(4, len(shape)):] },
	func(shape []byte) []byte { return shape[:max(len(shape)-4, 0)] },
	func(shape []byte) []byte { return append(bytes(1, 4), shape...) },
	func(shape []byte) []byte { return append(shape, bytes(1, 4)...) },
	func([]byte) []byte { return bytes(6, 4) },
	func(shape []byte) []byte { return append(shape[:max(len(shape)-4, 0)], bytes(0, 4)...) },
}

// Deform applies change n of all changes of one tensor's rank in the first subgraph, or of omissions of
// an operand. It reports whether there is a change n.
func (t *Table) Deform(n int) bool {
	s := one(&recipe{}, t.list("subgraphs"))
	if s == nil {
		return false
	}
	list := s.list("tensors")
	if at := n / (len(forms) + 1); at >= len(list) {
		return false
	} else if form := n % (len(forms) + 1); form < len(forms) {
		list[at].deform(forms[form])
	} else {
		s.withdraw(int64(at))
	}
	return true
}

// deform gives a tensor another shape; an absent one is omitted from the file.
func (t *Table) deform(form func([]byte) []byte) {
	if shape := form(clone(t.data("shape"))); shape != nil {
		t.set("shape", shape)
	} else {
		t.set("shape", nil)
	}
}

// withdraw omits a tensor (-1) wherever an operator reads it.
func (t *Table) withdraw(tensor int64) {
	for _, op := range t.list("operators") {
		data := clone(op.data("inputs"))
		for at := 0; at+4 <= len(data); at += 4 {
			if signed(data[at:at+4]) == tensor {
				copy(data[at:], bytes(-1, 4))
			}
		}
		op.set("inputs", data)
	}
}

// form changes the rank of a tensor.
func (m *mutator) form() {
	if t := m.tensorOf(m.subgraph()); t != nil {
		t.deform(one(m.recipe, forms))
	}
}

// Names are texts that do harm if printed unescaped: terminal commands, direction overrides, line
// breaks, invalid UTF-8, formulas of spreadsheets, Markdown and HTML.
var Names = []string{
	"\x1b]0;title\a\x1b[2J\x1b[35mname", "\u009b2J\u009dname", "a\n" + Forged + "\r\n", "\u202eeman\u2066", "\xff\xfe\x9b", "=cmd|' /C x'!A1", "-1+1", "@SUM(1)",
	"[link](javascript:x)", "<img src=x>", "a|b`c`*d*_e_", "a\\b", "", "a\u2028" + Forged + "\u0085", "::error::name%0A",
}

// Forged begins a line that only a name can have made.
const Forged = "FORGED"

// Rename gives every text of a model the same contents.
func (t *Table) Rename(name string) {
	for id := range t.values {
		if t.of.fields[id].kind == text && t.values[id] != nil {
			t.values[id] = []byte(name)
		}
	}
	for _, held := range t.held() {
		held.Rename(name)
	}
}

// name changes one text of a model, or all of them.
func (m *mutator) name() {
	name := one(m.recipe, Names)
	if m.below(4) == 0 {
		m.model.Rename(name)
		return
	}
	t := m.model
	for range 1 + m.below(4) {
		if next := one(m.recipe, t.held()); next != nil {
			t = next
		}
	}
	for id := range t.values {
		if t.of.fields[id].kind == text {
			t.values[id] = []byte(name)
		}
	}
}
