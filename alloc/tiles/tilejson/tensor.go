package tilejson

import (
	"encoding/json"
	"fmt"

	"github.com/tflarena/tflarena/lifetime"
)

// readTensor returns the name of the tensor with an error, too.
func readTensor(data json.RawMessage, align, steps int64) (t lifetime.Tiled, err error) {
	m, err := membersOf(data)
	if err != nil {
		return t, err
	}
	t.Align = align
	if err := m.text("name", &t.Name); err != nil {
		return t, err
	}
	t.Size = -1
	if err := m.number("size", &t.Size); err != nil {
		return t, err
	}
	if t.Size < 0 {
		return t, fmt.Errorf("size is missing or negative")
	}
	if err := m.number("alignment", &t.Align); err != nil {
		return t, err
	}
	if t.Whole, err = readWhole(m, steps); err != nil {
		return t, err
	}
	list, ok := m.take("accesses")
	if !ok {
		return t, fmt.Errorf("there is no member \"accesses\"")
	}
	m.skip("shape")
	if err := m.over(); err != nil {
		return t, err
	}
	raw, err := elementsOf(list)
	if err != nil {
		return t, fmt.Errorf("accesses: %w", err)
	}
	t.Accesses = make([]lifetime.Access, len(raw))
	for k, r := range raw {
		if t.Accesses[k], err = readAccess(r, steps); err != nil {
			return t, fmt.Errorf("access %d: %w", k, err)
		}
	}
	return t, nil
}

// readWhole reads the optional member "whole", [first step, last step].
func readWhole(m *members, steps int64) (*lifetime.Steps, error) {
	raw, ok := m.take("whole")
	if !ok {
		return nil, nil
	}
	parts, err := elementsOf(raw)
	if err != nil {
		return nil, fmt.Errorf("whole: %w", err)
	}
	if len(parts) != 2 {
		return nil, fmt.Errorf("whole has %d values, not a first and a last step", len(parts))
	}
	var ends [2]int
	for k, part := range parts {
		if ends[k], err = stepOf(part, steps); err != nil {
			return nil, fmt.Errorf("whole: %w", err)
		}
	}
	return &lifetime.Steps{First: ends[0], Last: ends[1]}, nil
}

func readAccess(data json.RawMessage, steps int64) (a lifetime.Access, err error) {
	parts, err := elementsOf(data)
	if err != nil {
		return a, err
	}
	if len(parts) != 4 {
		return a, fmt.Errorf("it has %d values, not a step, \"r\" or \"w\", the first byte and the one after the last", len(parts))
	}
	if a.Step, err = stepOf(parts[0], steps); err != nil {
		return a, err
	}
	switch kind := string(parts[1]); kind {
	case `"w"`:
		a.Write = true
	case `"r"`:
	default:
		return a, fmt.Errorf("%s is neither \"r\" nor \"w\"", short(parts[1]))
	}
	if a.Lo, err = wholeNumber(parts[2]); err != nil {
		return a, err
	}
	a.Hi, err = wholeNumber(parts[3])
	return a, err
}

func stepOf(data json.RawMessage, steps int64) (int, error) {
	n, err := wholeNumber(data)
	if err != nil {
		return 0, err
	}
	if n < 0 || n > min(steps, lifetime.MaxStep) {
		return 0, fmt.Errorf("step %d is not one of 0 to %d", n, min(steps, lifetime.MaxStep))
	}
	return int(n), nil
}
