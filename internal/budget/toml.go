package budget

import (
	"errors"
	"strconv"

	"github.com/pelletier/go-toml/v2/unstable"
)

// how is the syntax that defined a table in a TOML file. It decides what may extend the table later.
type how int

const (
	inline  how = iota // braces, or the file itself: nothing extends it later
	implied            // the header of a table in it
	headed             // its own header
	dotted             // a dotted key
)

// tomlReader reads TOML expression by expression.
type tomlReader struct {
	text
	p unstable.Parser
}

// parseTOML reads a TOML file.
func parseTOML(data []byte) (*table, error) {
	r := &tomlReader{text: data}
	r.p.Reset(data)
	root := &table{}
	current, path := root, ""
	for r.p.NextExpression() {
		var err error
		switch e := r.p.Expression(); e.Kind {
		case unstable.Table:
			current, path, err = r.header(root, e)
		case unstable.KeyValue:
			err = r.keyValue(current, path, e)
		default:
			err = r.problem(int(e.Child().Raw.Offset), string(e.Child().Data), "an array of tables is not a setting: use one pair of brackets")
		}
		if err != nil {
			return nil, err
		}
	}
	if err := r.p.Error(); err != nil {
		at := len(data)
		if e := (*unstable.ParserError)(nil); errors.As(err, &e) && len(e.Highlight) > 0 {
			at = int(r.p.Range(e.Highlight).Offset)
		}
		return nil, r.problem(at, "", "%w", err)
	}
	return root, nil
}

// header returns the table of a header and its path.
func (r *tomlReader) header(t *table, e *unstable.Node) (*table, string, error) {
	path := ""
	for keys := e.Key(); keys.Next(); {
		var err error
		made := implied
		if keys.IsLast() {
			made = headed
		}
		if t, path, err = r.enter(t, path, keys.Node(), made); err != nil {
			return nil, "", err
		}
	}
	return t, path, nil
}

// enter returns the table of a key and its path. It makes the table, unless there is one that may be
// extended.
func (r *tomlReader) enter(t *table, path string, key *unstable.Node, made how) (*table, string, error) {
	name, at := string(key.Data), int(key.Raw.Offset)
	path = joined(path, name)
	value, found := t.find(name)
	if !found {
		sub := &table{made: made}
		t.put(member{name, at, sub})
		return sub, path, nil
	}
	sub, ok := value.(*table)
	switch {
	case !ok, sub.made == inline:
	case made == implied, made == dotted && sub.made == dotted:
		return sub, path, nil
	case made == headed && sub.made == implied:
		sub.made = headed
		return sub, path, nil
	}
	return nil, "", r.problem(at, path, "defined twice")
}

// keyValue adds a value to a table.
func (r *tomlReader) keyValue(t *table, path string, e *unstable.Node) (err error) {
	for keys := e.Key(); keys.Next(); {
		key := keys.Node()
		if !keys.IsLast() {
			if t, path, err = r.enter(t, path, key, dotted); err != nil {
				return err
			}
			continue
		}
		name, at := string(key.Data), int(key.Raw.Offset)
		value, err := r.add(t, path, name, at)
		if err != nil {
			return err
		}
		if *value, err = r.value(joined(path, name), at, e.Value()); err != nil {
			return err
		}
	}
	return nil
}

// value returns the value of the key at a path and an offset.
func (r *tomlReader) value(path string, at int, n *unstable.Node) (any, error) {
	switch n.Kind {
	case unstable.String:
		return string(n.Data), nil
	case unstable.Bool:
		return n.Data[0] == 't', nil
	case unstable.Float:
		return number(n.Data), nil
	case unstable.Integer:
		i, err := strconv.ParseInt(string(n.Data), 0, 64)
		if err != nil {
			return nil, r.problem(at, path, "%s is out of range", n.Data)
		}
		return number(strconv.FormatInt(i, 10)), nil
	case unstable.Array:
		list := []any{}
		for elements := n.Children(); elements.Next(); {
			element, err := r.value(path, at, elements.Node())
			if err != nil {
				return nil, err
			}
			list = append(list, element)
		}
		return list, nil
	case unstable.InlineTable:
		t := &table{}
		for members := n.Children(); members.Next(); {
			if err := r.keyValue(t, path, members.Node()); err != nil {
				return nil, err
			}
		}
		return t, nil
	}
	return nil, r.problem(at, path, "%s is a date or a time: no setting has one", n.Data)
}
