package rewrite

import (
	"encoding/binary"
	"fmt"
	"iter"

	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/tflite"
)

// A Plan is a memory plan as a file holds it.
type Plan struct {
	// Entry is the index of its metadata entry, Buffer that of its buffer.
	Entry, Buffer int
	// Version and Subgraphs are the first two words; the runtime does not read
	// them, and writers in the wild put 0 or 1 into either.
	Version, Subgraphs int32
	// Offsets has one offset in bytes for each tensor, in the order of subgraphs and of
	// tensors inside each. [Online] leaves a tensor to the runtime.
	Offsets []int32
	// Spare is the data that follows the offsets in the buffer; the runtime ignores it.
	Spare []byte
	// At is the byte offset of the plan in the file.
	At int64
}

// Position returns where the offset of a tensor, given by its index in Offsets, lies in the
// file, as a byte offset.
func (p *Plan) Position(tensor int) int64 { return p.At + headerBytes + wordBytes*int64(tensor) }

// A PlanError says why a plan, or the marker beside it, cannot be read.
type PlanError struct {
	// Law is the rule that is broken, as package verify calls it.
	Law string
	// Message says in one sentence what is wrong.
	Message string
	// Path is the table in the file, and Offset the byte offset of the plan or the marker, 0
	// where it has no data.
	Path   string
	Offset int64
}

// The laws without which a plan or its marker cannot be read. Package verify says what they
// are.
const (
	lawBuffer = "buffer"
	lawLength = "length"
	lawCount  = "count"
	lawMarker = "marker"
)

// Error returns "PATH at 0xOFFSET: LAW: MESSAGE", or "PATH: LAW: MESSAGE".
func (e *PlanError) Error() string {
	if e.Offset == 0 {
		return fmt.Sprintf("%s: %s: %s", e.Path, e.Law, e.Message)
	}
	return fmt.Sprintf("%s at %#x: %s: %s", e.Path, e.Offset, e.Law, e.Message)
}

// ReadPlans returns every plan of the model in the order of the metadata; the runtime
// follows the last. It is an error, a [*PlanError], when a buffer is too short for the plan
// that it claims to hold, which makes the runtime read beyond it. ReadPlans does not say
// whether a plan is right: package verify does.
func ReadPlans(m *tflite.Model) ([]Plan, error) {
	var plans []Plan
	for p, bad := range EachPlan(m) {
		if bad != nil {
			return nil, bad
		}
		plans = append(plans, p)
	}
	return plans, nil
}

// EachPlan yields every plan of the model in the order of the metadata, with the reason why
// it cannot be read, or nil where it can. Unlike [ReadPlans] it does not stop at the first
// that cannot be read.
func EachPlan(m *tflite.Model) iter.Seq2[Plan, *PlanError] {
	return func(yield func(Plan, *PlanError) bool) {
		r := newPlanReader(m)
		for _, entry := range patch.PlanEntries(m) {
			if !yield(r.read(entry)) {
				return
			}
		}
	}
}

var le = binary.LittleEndian

// A planReader decodes plans. Entries may share their data, and vectors may overlap
// in a hostile file, so equal data is decoded once and all of it together may not
// be larger than the file.
type planReader struct {
	m     *tflite.Model
	known map[int64]Plan
	left  int64
}

func newPlanReader(m *tflite.Model) *planReader {
	return &planReader{m: m, known: map[int64]Plan{}, left: int64(len(m.Data))}
}

// read returns the plan of a metadata entry, or what is wrong with it.
func (r *planReader) read(entry int) (Plan, *PlanError) {
	index := r.m.Metadata[entry].Buffer
	b := r.m.Buffers[index]
	law, problem := unreadable(b)
	count := 0
	if problem == "" {
		count = int(countOf(b.Data))
		if _, known := r.known[b.Offset]; !known {
			if r.left -= int64(planBytes(count)); r.left < 0 {
				law, problem = lawLength, "the plans overlap each other"
			}
		}
	}
	if problem != "" {
		return Plan{}, &PlanError{
			Law: law, Message: fmt.Sprintf("the plan of metadata[%d]: %s", entry, problem),
			Path: fmt.Sprintf("buffers[%d]", index), Offset: b.Offset,
		}
	}
	p, known := r.known[b.Offset]
	if !known {
		p = decodePlan(b.Data, count)
		p.At = b.Offset
		r.known[b.Offset] = p
	}
	p.Entry, p.Buffer = entry, index
	return p, nil
}

// unreadable says which law keeps a buffer from being read as a plan, and why.
func unreadable(b tflite.Buffer) (law, problem string) {
	switch {
	case b.Outside:
		return lawBuffer, "it lies behind the flatbuffer, where the runtime does not look"
	case len(b.Data) == 0:
		return lawBuffer, "it has no data; the runtime reads it all the same"
	case len(b.Data) < headerBytes:
		return lawLength, fmt.Sprintf("%s are too few for a header of %s; the runtime reads beyond", units.ExactBytes(len(b.Data)), units.ExactBytes(int64(headerBytes)))
	}
	count := int64(countOf(b.Data))
	switch need := headerBytes + wordBytes*count; {
	case count < 0:
		return lawCount, fmt.Sprintf("it counts %d offsets", count)
	case need > int64(len(b.Data)):
		return lawLength, fmt.Sprintf("%s offsets take %s, but the buffer has %s; the runtime reads beyond", units.Number(count), units.ExactBytes(need), units.ExactBytes(len(b.Data)))
	}
	return "", ""
}

// countOf returns the third word, the number of offsets that the plan claims.
func countOf(data []byte) int32 { return int32(le.Uint32(data[2*wordBytes:])) }

// decodePlan reads a plan from data, which is long enough.
func decodePlan(data []byte, count int) Plan {
	word := func(i int) int32 { return int32(le.Uint32(data[wordBytes*i:])) }
	p := Plan{Version: word(0), Subgraphs: word(1), Offsets: make([]int32, count)}
	for i := range p.Offsets {
		p.Offsets[i] = word(headerWords + i)
	}
	p.Spare = data[planBytes(count):]
	return p
}
