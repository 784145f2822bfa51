package pickle

// A Value is a value of a [Tree]: a small number or a constant, or a reference into the file or the tree.
// Equal Values are equal in Python. The converse does not hold: equal texts may be at different places
// of the file.
type Value uint64

// A Kind is the kind of a value.
type Kind uint8

// The kinds of values.
const (
	None   Kind = iota
	Bool        // true or false
	Int         // a number that fits into an int64
	Large       // an integer that does not
	Float       // a float
	Text        // str, or a str of Python 2
	Bytes       // bytes or bytearray
	List        // a list
	Tuple       // a tuple
	Dict        // a dict
	Set         // a set or frozenset
	Folded      // a dict that a [Fold] has taken: see [Tree.Token]
	wide        // an int64 that does not fit into a Value
	mark        // only on the stack
)

const (
	payloadBits = 60
	payloadMask = 1<<payloadBits - 1
)

func valueOf(k Kind, payload int) Value { return Value(k)<<payloadBits | Value(payload)&payloadMask }

func (v Value) kind() Kind   { return Kind(v >> payloadBits) }
func (v Value) payload() int { return int(v & payloadMask) }

func (v Value) isContainer() bool { k := v.kind(); return k >= List && k <= Set }

func (v Value) Kind() Kind {
	if k := v.kind(); k != wide {
		return k
	}
	return Int
}

// String returns the kind in Python's terms.
func (k Kind) String() string {
	names := [...]string{
		None: "None", Bool: "a bool", Int: "an integer", Large: "an integer of more than 64 bits", Float: "a float", Text: "a str", Bytes: "bytes",
		List: "a list", Tuple: "a tuple", Dict: "a dict", Set: "a set", Folded: "a dict", wide: "an integer", mark: "a mark",
	}
	if int(k) < len(names) {
		return names[k]
	}
	return "nothing"
}

// isShort reports whether an integer fits into a Value.
func isShort(n int64) bool { return n<<(64-payloadBits)>>(64-payloadBits) == n }

// short returns an integer that fits into a Value.
func short(n int64) Value { return Value(Int)<<payloadBits | Value(n)&payloadMask }

// number returns an integer as a value.
func (m *machine) number(n int64) Value {
	if isShort(n) {
		return short(n)
	}
	m.tree.wide = append(m.tree.wide, n)
	return valueOf(wide, len(m.tree.wide)-1)
}
