package budget

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// maxDepth is the maximum nesting depth of JSON objects and lists; settings are less deep.
const maxDepth = 16

// jsonReader reads JSON token by token, to know its position.
type jsonReader struct {
	text
	d *json.Decoder
}

// parseJSON reads a JSON object.
func parseJSON(data []byte) (*table, error) {
	r := &jsonReader{data, json.NewDecoder(bytes.NewReader(data))}
	r.d.UseNumber()
	value, err := r.value("", 0)
	if err != nil {
		return nil, err
	}
	t, ok := value.(*table)
	if !ok {
		return nil, r.problem(0, "", "must be an object, in braces")
	}
	at := r.next()
	if _, more := r.d.Token(); !errors.Is(more, io.EOF) {
		return nil, r.problem(at, "", "text after the JSON object")
	}
	return t, nil
}

// value reads the value of the key at a path.
func (r *jsonReader) value(path string, depth int) (any, error) {
	at := r.next()
	token, err := r.token(path)
	switch {
	case err != nil:
		return nil, err
	case depth == maxDepth:
		return nil, r.problem(at, path, "objects and lists are nested more than %d deep", maxDepth)
	case token == json.Delim('{'):
		return r.object(path, depth)
	case token == json.Delim('['):
		list := []any{}
		for r.d.More() {
			element, err := r.value(path, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, element)
		}
		_, err := r.token(path)
		return list, err
	}
	if n, ok := token.(json.Number); ok {
		return number(n), nil
	}
	return token, nil
}

// object reads the rest of an object.
func (r *jsonReader) object(path string, depth int) (any, error) {
	t := &table{}
	for r.d.More() {
		at := r.next()
		token, err := r.token(path)
		if err != nil {
			return nil, err
		}
		key := token.(string) // guaranteed by the decoder
		value, err := r.add(t, path, key, at)
		if err != nil {
			return nil, err
		}
		if *value, err = r.value(joined(path, key), depth+1); err != nil {
			return nil, err
		}
	}
	_, err := r.token(path)
	return t, err
}

// next returns the offset of the next token.
func (r *jsonReader) next() int {
	at := min(int(r.d.InputOffset()), len(r.text))
	return len(r.text) - len(bytes.TrimLeft(r.text[at:], " \t\r\n,:"))
}

// token reads a token, and rewords an error of the decoder.
func (r *jsonReader) token(path string) (json.Token, error) {
	at := r.next()
	token, err := r.d.Token()
	switch {
	case err == nil:
		return token, nil
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return nil, r.problem(len(r.text), path, "unexpected end of the file")
	}
	return nil, r.problem(at, path, "%w", err)
}
