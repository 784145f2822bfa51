package rewrite

import (
	"bytes"
	"encoding/json"
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/internal/patch"
)

// parseMarker decodes a marker, or describes what is wrong with it.
func parseMarker(data []byte) (*Marker, string) {
	switch {
	case len(data) == 0:
		return nil, "it has no data"
	case len(data) > patch.MaxMarker:
		return nil, fmt.Sprintf("it has %d B, more than the %d B of a marker", len(data), patch.MaxMarker)
	}
	fields, problem := jsonFields(data)
	if problem != "" {
		return nil, problem
	}
	marker := &Marker{}
	for _, f := range []struct {
		name string
		to   any
	}{{"version", &marker.Version}, {"alias", &marker.Alias}, {"kernels", &marker.Kernels}} {
		text, found := fields[f.name]
		if !found {
			return nil, fmt.Sprintf("it has no field %q", f.name)
		}
		if err := json.Unmarshal(text, f.to); err != nil {
			return nil, fmt.Sprintf("its field %q is %q", f.name, text)
		}
		// The fields of other versions are unknown.
		if problem := marker.problem(); f.name == "version" && marker.Version != MarkerVersion {
			return nil, problem
		}
		delete(fields, f.name)
	}
	var more []string
	for name := range fields {
		more = append(more, name)
	}
	if len(more) > 0 {
		return nil, fmt.Sprintf("it has the field %q, which version %d does not have", slices.Min(more), MarkerVersion)
	}
	return marker, marker.problem()
}

// jsonFields returns the fields of a JSON object. Duplicate names are an error: readers
// disagree on which one counts.
func jsonFields(data []byte) (fields map[string]json.RawMessage, problem string) {
	const noObject = "it is not a JSON object"
	d := json.NewDecoder(bytes.NewReader(data))
	if open, err := d.Token(); err != nil || open != json.Delim('{') || !json.Valid(data) {
		return nil, noObject
	}
	fields = map[string]json.RawMessage{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, noObject
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, noObject
		}
		key, _ := name.(string)
		if _, twice := fields[key]; twice {
			return nil, fmt.Sprintf("it has the field %q twice", key)
		}
		fields[key] = value
	}
	return fields, ""
}
