package slim

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/tflite"
)

// Kind is a kind of bytes that [Slim] removes.
type Kind string

const (
	// Layout is bytes that nothing refers to, padding, and parts of the file that repeat.
	Layout Kind = "layout"
	// Names is the names of tensors and subgraphs, and the model's description.
	Names Kind = "names"
	// DebugMetadata is metadata for people: the converter's options, and sources of operators.
	DebugMetadata Kind = "debug metadata"
	// Ranges is the recorded ranges (min and max) of quantisations.
	Ranges Kind = "ranges"
	// Tensors is tensors that nothing uses, with their data.
	Tensors Kind = "unused tensors"
	// Codes is operator codes that no operator uses.
	Codes Kind = "unused operator codes"
	// Buffers is buffers that nothing uses.
	Buffers Kind = "unused buffers"
	// DuplicateBuffers is constants with equal data.
	DuplicateBuffers Kind = "duplicate buffers"
	// DuplicateTables is quantisations, scales, zero points and operator options with equal
	// contents.
	DuplicateTables Kind = "duplicate tables"
)

// Kinds lists all kinds, in the order of [Result.Savings].
var Kinds = []Kind{Layout, Names, DebugMetadata, Ranges, Tensors, Codes, Buffers, DuplicateBuffers, DuplicateTables}

// Saving is the number of bytes that one kind of removal saved.
type Saving struct {
	Kind Kind
	// Bytes is the difference of two file sizes: with the kinds before this one removed, and
	// with this one removed, too. Of Layout it is negative if the old file shares more; of other
	// kinds, only if alignment costs more than the kind has.
	Bytes int64
}

// measure returns the file size with the first kind removed, the first two, and so on.
func measure(m *tflite.Model) ([]int64, error) {
	var sizes []int64
	for i := range Kinds {
		size, err := newWriter(m, newContents(m, Kinds[:i+1]), 0).size()
		if err != nil {
			return nil, err
		}
		sizes = append(sizes, size)
	}
	return sizes, nil
}

// savings returns the differences of the sizes.
func savings(m *tflite.Model, sizes []int64) (list []Saving) {
	before := int64(len(m.Data))
	for i, size := range sizes {
		if size != before {
			list = append(list, Saving{Kinds[i], before - size})
		}
		before = size
	}
	return list
}

// removed is the set of kinds that a file lacks.
type removed []Kind

func (r removed) has(k Kind) bool { return slices.Contains(r, k) }
