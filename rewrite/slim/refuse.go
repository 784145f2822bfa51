package slim

import (
	"cmp"
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

func refused(text string, args ...any) error {
	return &rewrite.RefusedError{Reason: fmt.Sprintf(text, args...)}
}

// check refuses models that cannot be copied safely. It returns messages about overridden
// refusals.
func check(m *tflite.Model, o rewrite.Options) (forced []string, err error) {
	for _, check := range []func(*tflite.Model) error{checkParts, checkData, checkMetadata, checkOverlap} {
		if err := check(m); err != nil {
			return nil, err
		}
	}
	_, zipProblem := patch.FindSites(m)
	return patch.Force(o.Force, patch.CheckMovable(m), zipProblem)
}

// checkParts refuses parts that this project does not read.
func checkParts(m *tflite.Model) error {
	unread := false
	err := tflite.Extents(m.Data, func(e tflite.Extent) { unread = unread || e.What == tflite.Unread })
	if err == nil && unread {
		err = refused("the file has parts that are newer than the schema, or damaged")
	}
	return err
}

// checkData refuses data outside the flatbuffer.
func checkData(m *tflite.Model) error {
	root := schema.GetRootAsModel(m.Data, 0)
	if root.ExternalBuffersLength() > 0 || root.ExternalBufferGroupsLength() > 0 {
		return refused("constants of the model are in external files")
	}
	for i, b := range m.Buffers {
		if b.Outside {
			return refused("the data of buffers[%d] is outside the flatbuffer", i)
		}
	}
	if len(m.Buffers) > 0 && m.Buffers[0].Data != nil {
		return refused("buffers[0] has data, and stands for no data")
	}
	for s := range m.Subgraphs {
		for i := range m.Subgraphs[s].Operators {
			o := &m.Subgraphs[s].Operators[i]
			if table := o.Table(); table.LargeCustomOptionsOffset() > 1 {
				return refused("the options of operator %s are outside the flatbuffer", patch.OperatorID(s, o))
			}
		}
		for i := range m.Subgraphs[s].Tensors {
			if m.Subgraphs[s].Tensors[i].ExternalBuffer != 0 {
				return refused("the data of tensor %s is in an external file", m.TensorID(s, i))
			}
		}
	}
	return nil
}

// checkMetadata refuses metadata that refers to buffers by index or to bytes of the file.
func checkMetadata(m *tflite.Model) error {
	for _, md := range m.Metadata {
		if md.Name == "COMPRESSION_METADATA" || patch.VendorMetadata[md.Name] {
			return refused("the metadata %q refers to buffers or bytes of the file", md.Name)
		}
	}
	return nil
}

// maxTables bounds the size of a flatbuffer without its buffers' data, in bytes. The builder
// can grow to 2 GiB.
const maxTables = 1 << 29

// checkOverlap refuses buffers that share some of their bytes, so that the work of a copy is
// bounded by the size of the file.
func checkOverlap(m *tflite.Model) error {
	var ranges []tflite.Range
	for i := range m.Buffers {
		if b := &m.Buffers[i]; len(b.Data) > 0 {
			ranges = append(ranges, tflite.Range{Start: b.Offset, End: b.Offset + int64(len(b.Data))})
		}
	}
	slices.SortStableFunc(ranges, func(a, b tflite.Range) int { return cmp.Compare(a.Start, b.Start) })
	ranges = slices.Compact(ranges)
	rest := m.FlatbufferEnd
	for i, r := range ranges {
		if i > 0 && r.Start < ranges[i-1].End {
			return patch.Sharing("buffers at %#x and %#x overlap", ranges[i-1].Start, r.Start)
		}
		rest -= r.End - r.Start
	}
	if rest > maxTables {
		return refused("the file has too many bytes beside the data of constants")
	}
	return nil
}
