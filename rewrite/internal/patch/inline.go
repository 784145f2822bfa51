package patch

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// bufferFields is the number of buffer fields known to the schema.
const bufferFields = 3

// inlineFront holds a root table, a vector of buffers, and new tables with data for the buffers
// whose data lies after the flatbuffer.
type inlineFront struct {
	rootFront
	model *tflite.Model
	// inline are the indexes of those buffers; tables and vectors are the positions of their
	// tables and data. Buffers with the same file range share their data.
	inline          []int
	tables, vectors []int64
	buffer          int64
}

// Inline returns the file of m with data from after the flatbuffer moved into the prepended
// part. The old bytes move back by shift; changes describes the edit for people. If only such
// data followed the flatbuffer, the new file ends with the flatbuffer. forced overrides the
// refusals that can be overridden.
func Inline(m *tflite.Model, forced bool) (data []byte, shift int64, changes []string, err error) {
	f := &inlineFront{rootFront: rootFront{old: RootOf(m)}, model: m}
	bytes := f.reserve()
	if err := f.check(); err != nil {
		return nil, 0, nil, err
	}
	sites, zipProblem := FindSites(m)
	lines, err := Force(forced, f.movable(), zipProblem)
	if err != nil {
		return nil, 0, nil, err
	}
	out := f.write()
	if err := Move(out[f.Shift():], sites, f.Shift()); err != nil {
		return nil, 0, nil, err
	}
	end := int64(len(m.Data))
	if f.ends() {
		end = m.FlatbufferEnd
	}
	out = out[:f.Shift()+end]
	if err := f.audit(out); err != nil {
		return nil, 0, nil, err
	}
	changes = []string{
		fmt.Sprintf("%s inserted at the start of the file; everything else moves by as much", units.ExactBytes(f.Shift())),
		fmt.Sprintf("data of %d buffers moves into the flatbuffer: %s", len(f.inline), units.ExactBytes(bytes)),
	}
	if gone := int64(len(m.Data)) - end; gone > 0 {
		changes = append(changes, fmt.Sprintf("%s behind the flatbuffer are left out", units.ExactBytes(gone)))
	}
	return out, f.Shift(), append(changes, lines...), nil
}

// reserve lays out the front and returns the size of the data in it, in bytes.
func (f *inlineFront) reserve() (bytes int64) {
	f.reserveRoot(asBefore)
	f.buffer = f.Reserve(4+4*int64(len(f.model.Buffers)), 0, 4)
	for i := range f.model.Buffers {
		if f.model.Buffers[i].Outside {
			f.inline = append(f.inline, i)
			f.tables = append(f.tables, f.Reserve(bufferVtable+bufferSize, 0, 4)+bufferVtable)
		}
	}
	placed := map[[2]int64]int64{}
	for _, i := range f.inline {
		b := &f.model.Buffers[i]
		size := int64(len(b.Data))
		at, known := placed[[2]int64{b.Offset, size}]
		if !known {
			at = f.Reserve(4+size, 4, Alignment)
			placed[[2]int64{b.Offset, size}] = at
			bytes += size
		}
		f.vectors = append(f.vectors, at)
	}
	return bytes
}

// check refuses tables with fields newer than the schema.
func (f *inlineFront) check() error {
	if id, found := f.old.newer(); found {
		return newerField("the root table", id)
	}
	var b schema.Buffer
	for _, i := range f.inline {
		schema.GetRootAsModel(f.old.Data, 0).Buffers(&b, i)
		if id, found := NewerField(b.Table(), bufferFields); found {
			return newerField(fmt.Sprintf("buffers[%d]", i), id)
		}
	}
	if err := CheckPositions(f.model, f.Shift()); err != nil {
		return err
	}
	file := int64(len(f.model.Data))
	if f.ends() {
		file = f.model.FlatbufferEnd
	}
	return CheckSize(f.model.FlatbufferEnd, file, f.Shift())
}

// ends reports whether only constant data and zeros follow the flatbuffer.
func (f *inlineFront) ends() bool {
	return !slices.ContainsFunc(f.model.Trailing, func(r tflite.Range) bool { return r.Kind != "buffer" && r.Kind != "padding" })
}

// movable refuses bytes that may depend on their file position.
func (f *inlineFront) movable() error {
	if f.ends() {
		return nil
	}
	return CheckMovable(f.model)
}

// write returns the file: the front, then the old bytes.
func (f *inlineFront) write() Output {
	out := f.writeRoot(f.model, map[int]int64{FieldBuffers: f.buffer})
	targets := f.moved(f.old.Targets(FieldBuffers))
	for k, i := range f.inline {
		b, at := &f.model.Buffers[i], f.tables[k]
		targets[i] = at
		out.table(at-bufferVtable, at, bufferSize, 4)
		out.Refer(at+4, f.vectors[k])
		out.U32(f.vectors[k], int64(len(b.Data)))
		copy(out[f.vectors[k]+4:], b.Data)
	}
	out.Vector(f.buffer, targets)
	return out
}

// audit parses the new file and compares it with the old one.
func (f *inlineFront) audit(data []byte) error {
	m, err := tflite.Parse(data, f.model.Name)
	if err != nil {
		return Sharing("the rewritten file would be broken: %v", err)
	}
	want := *f.model
	want.Buffers = slices.Clone(want.Buffers)
	for k, i := range f.inline {
		b := &want.Buffers[i]
		b.Present, b.Outside, b.Offset = true, false, f.vectors[k]+4-f.Shift()
	}
	if part := Difference(&want, m, f.Shift()); part != "" {
		return Sharing("the rewritten file would differ in its %s", part)
	}
	if f.ends() {
		return nil
	}
	return SameArchive(f.model, data, f.Shift())
}
