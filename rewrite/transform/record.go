package transform

import (
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/rewrite/provenance"
	"github.com/tflarena/tflarena/tflite"
)

// recorded returns the metadata of a model's record of rules with more that were applied.
func recorded(m *tflite.Model, list []Applied) (*edit.Metadata, error) {
	record, err := provenance.Read(m)
	if err != nil {
		return nil, err
	}
	if record == nil {
		record = &provenance.Record{Version: provenance.Version, Exact: everywhere}
	}
	for _, a := range list {
		record.Exact = record.Exact.And(a.Rule.Exact)
		at := slices.IndexFunc(record.Rules, func(r provenance.Rule) bool { return r.Name == a.Rule.Name })
		if at < 0 {
			at = len(record.Rules)
			record.Rules = append(record.Rules, provenance.Rule{Name: a.Rule.Name})
		}
		record.Rules[at].Operators = min(record.Rules[at].Operators+len(a.Operators), math.MaxInt32)
	}
	data, err := record.Encode()
	return &edit.Metadata{Name: provenance.Name, Data: data}, err
}
