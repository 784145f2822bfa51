package slim

import (
	"github.com/tflarena/tflarena/rewrite/blocks"
	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/rewrite/provenance"
	"github.com/tflarena/tflarena/tflite"
)

// debugMetadata are entries that no runtime reads: the converter's options, and the sources of
// operators and subgraphs.
var debugMetadata = map[string]bool{"CONVERSION_METADATA": true, "debug_metadata": true}

// plainMetadata are entries that refer to no tensor, operator code or buffer by index: labels and
// descriptions of inputs and outputs by position, versions of runtimes, permitted precisions,
// dependencies between operators, which keep their indexes, and the record of rules.
var plainMetadata = map[string]bool{
	"TFLITE_METADATA": true, "min_runtime_version": true, "reduced_precision_support": true, "model_control_dependencies": true,
	provenance.Name: true,
}

// keptMetadata returns the indexes of the entries that stay.
func keptMetadata(m *tflite.Model, r removed) (list []int) {
	for i, md := range m.Metadata {
		if !r.has(DebugMetadata) || !debugMetadata[md.Name] {
			list = append(list, i)
		}
	}
	return list
}

// fixesIndexes reports whether metadata or a quantisation refers to tensors or operator codes by
// index, or may do so.
func fixesIndexes(m *tflite.Model) bool {
	for _, md := range m.Metadata {
		if !plainMetadata[md.Name] && !debugMetadata[md.Name] {
			return true
		}
	}
	for s := range m.Subgraphs {
		for i := range m.Subgraphs[s].Tensors {
			if hasDetails(&m.Subgraphs[s].Tensors[i]) {
				return true
			}
		}
	}
	return false
}

// fixesBuffers reports whether metadata may refer to buffers by index.
func fixesBuffers(m *tflite.Model) bool {
	for _, md := range m.Metadata {
		if name := md.Name; !plainMetadata[name] && !debugMetadata[name] && !patch.Ours(name) && name != blocks.Name {
			return true
		}
	}
	return false
}
