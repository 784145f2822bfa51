package tilejson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"golang.org/x/exp/slices"
)

// members are the members of a JSON object that have not been taken yet.
type members struct {
	values map[string]json.RawMessage
	names  []string
}

// membersOf reads an object. Two members of the same name are an error.
func membersOf(data []byte) (*members, error) {
	m := &members{values: map[string]json.RawMessage{}}
	err := walk(data, '{', func(d *json.Decoder) error {
		token, err := d.Token()
		if err != nil {
			return err
		}
		name, _ := token.(string)
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		if _, twice := m.values[name]; twice {
			return fmt.Errorf("member %q comes twice", name)
		}
		m.values[name], m.names = value, append(m.names, name)
		return nil
	})
	return m, err
}

// elementsOf reads an array.
func elementsOf(data []byte) (list []json.RawMessage, err error) {
	err = walk(data, '[', func(d *json.Decoder) error {
		var value json.RawMessage
		err := d.Decode(&value)
		list = append(list, value)
		return err
	})
	return list, err
}

// walk calls each for every element of the object or array that data must be.
func walk(data []byte, open json.Delim, each func(*json.Decoder) error) error {
	d := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))))
	kind := map[json.Delim]string{'{': "an object", '[': "an array"}[open]
	token, err := d.Token()
	if err != nil {
		return syntax(d, err)
	}
	if token != open {
		return fmt.Errorf("%s is not %s", short(bytes.TrimSpace(data)), kind)
	}
	for d.More() {
		if err := each(d); err != nil {
			return syntax(d, err)
		}
	}
	if _, err := d.Token(); err != nil {
		return syntax(d, err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("something follows %s at byte %d", kind, d.InputOffset())
	}
	return nil
}

// syntax adds the offset to a syntax error. Only the outermost value can have one, since the inner
// ones were decoded with it.
func syntax(d *json.Decoder, err error) error {
	var broken *json.SyntaxError
	switch {
	case errors.As(err, &broken):
		return fmt.Errorf("it is not JSON: %w, near byte %d", err, d.InputOffset())
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("it is not JSON: it ends too early, at byte %d", d.InputOffset())
	}
	return err
}

// take returns and removes a member.
func (m *members) take(name string) (value json.RawMessage, ok bool) {
	value, ok = m.values[name]
	delete(m.values, name)
	return value, ok
}

// skip removes optional members that are ignored.
func (m *members) skip(names ...string) {
	for _, name := range names {
		delete(m.values, name)
	}
}

// over returns an error about the first member that has not been taken.
func (m *members) over() error {
	k := slices.IndexFunc(m.names, func(name string) bool { _, left := m.values[name]; return left })
	if k < 0 {
		return nil
	}
	return fmt.Errorf("member %q has no meaning here", m.names[k])
}

// text takes an optional string.
func (m *members) text(name string, to *string) error {
	raw, ok := m.take(name)
	if !ok {
		return nil
	}
	if len(raw) == 0 || raw[0] != '"' {
		return fmt.Errorf("%s is %s, not a string", name, short(raw))
	}
	return json.Unmarshal(raw, to)
}

// number takes an optional integer.
func (m *members) number(name string, to *int64) (err error) {
	raw, ok := m.take(name)
	if !ok {
		return nil
	}
	if *to, err = wholeNumber(raw); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func wholeNumber(raw json.RawMessage) (int64, error) {
	n, err := strconv.ParseInt(string(raw), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s is not a whole number of 64 bits", short(raw))
	}
	return n, nil
}

// short returns at most the first 40 bytes of a value, for a message.
func short(raw []byte) string {
	const most = 40
	if len(raw) <= most {
		return string(raw)
	}
	return string(bytes.ToValidUTF8(raw[:most], nil)) + "..."
}
