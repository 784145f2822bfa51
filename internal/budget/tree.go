package budget

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A table is an object of a JSON file or a table of a TOML file. Its members are in the order of the
// file.
type table struct {
	members []member
	// index has the index of each key.
	index map[string]int
	// made applies to TOML only.
	made how
}

// A member is a key with a value, which is nil, a bool, a string, a number, a list of values or a
// *table.
type member struct {
	key string
	// at is the offset of the key in the file.
	at    int
	value any
}

// A number is a number as text that [units.Parse] reads.
type number string

// find returns the value of a key, and whether the table has the key.
func (t *table) find(key string) (any, bool) {
	i, ok := t.index[key]
	if !ok {
		return nil, false
	}
	return t.members[i].value, true
}

// put adds a member with a new key, and returns the place of its value.
func (t *table) put(m member) *any {
	if t.index == nil {
		t.index = map[string]int{}
	}
	t.index[m.key] = len(t.members)
	t.members = append(t.members, m)
	return &t.members[len(t.members)-1].value
}

// A text is the contents of a file.
type text []byte

// problem returns an error about the key of a given path, which may be "", at an offset.
func (x text) problem(at int, path, format string, args ...any) error {
	before := x[:min(at, len(x))]
	begin := bytes.LastIndexByte(before, '\n') + 1
	place := fmt.Sprintf("line %d, column %d: ", 1+bytes.Count(before, []byte("\n")), 1+utf8.RuneCount(before[begin:]))
	if path != "" {
		place += path + ": "
	}
	return fmt.Errorf("%s%w", place, fmt.Errorf(format, args...))
}

// add adds a key to the table at a path, and returns the place of its value. A duplicate key is an error.
func (x text) add(t *table, path, key string, at int) (*any, error) {
	if _, twice := t.find(key); twice {
		return nil, x.problem(at, joined(path, key), "defined twice")
	}
	return t.put(member{key: key, at: at}), nil
}

// joined returns the path of a key in a table: a dotted key of TOML.
func joined(path, key string) string {
	bare := key != "" && strings.IndexFunc(key, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-')
	}) < 0
	if !bare {
		key = strconv.Quote(key)
	}
	if path != "" {
		return path + "." + key
	}
	return key
}
