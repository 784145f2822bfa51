package rewrite

import (
	"encoding/binary"
	"fmt"
	"iter"

	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/rewrite/internal/patch"
	"github.com/tflarena/tflarena/tflite"
)

// Plan is a memory plan embedded in a file.
type Plan struct {
	// Entry is the index of the metadata entry, Buffer the index of its buffer.
	Entry, Buffer int
	// Version and Subgraphs are the first two words; the runtime ignores them, and existing
	// writers put 0 or 1 into either.
	Version, Subgraphs int32
	// Offsets has one offset in bytes per tensor, ordered by subgraph, then by tensor. [Online]
	// leaves a tensor to the runtime.
	Offsets []int32
	// Spare is the data after the offsets in the buffer; the runtime ignores it.
	Spare []byte
	// At is the byte offset of the plan in the file.
	At int64
}

// Position returns the file offset, in bytes, of an element of Offsets.
func (p *Plan) Position(tensor int) int64 { return p.At + headerBytes + wordBytes*int64(tensor) }

// PlanError is the reason why a plan or its marker cannot be read.
type PlanError struct {
	// Law is the broken rule, named as in package verify.
	Law string
	// Message is one sentence.
	Message string
	// Path is the table in the file. Offset is the byte offset of the plan or marker, 0 if it
	// has no data.
	Path   string
	Offset int64
}

// Laws required for reading a plan or its marker; package verify defines them.
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

// ReadPlans returns all plans of the model in metadata order; the runtime follows the last. It
// returns a [*PlanError] if a buffer is too short for its plan, since the runtime would read
// beyond it. ReadPlans does not check whether plans are valid: package verify does.
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

// EachPlan yields every plan of the model in metadata order, with the reason why it cannot be
// read, or nil. Unlike [ReadPlans] it continues after unreadable plans.
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

// planReader decodes plans. In a hostile file, entries may share data and vectors may overlap,
// so equal data is decoded once, and the total must not exceed the file size.
type planReader struct {
	m      *tflite.Model
	cache  map[int64]Plan
	budget int64
}

func newPlanReader(m *tflite.Model) *planReader {
	return &planReader{m: m, cache: map[int64]Plan{}, budget: int64(len(m.Data))}
}

// read returns the plan of a metadata entry, or what is wrong with it.
func (r *planReader) read(entry int) (Plan, *PlanError) {
	index := r.m.Metadata[entry].Buffer
	b := r.m.Buffers[index]
	law, problem := unreadable(b)
	count := 0
	if problem == "" {
		count = int(countOf(b.Data))
		if _, known := r.cache[b.Offset]; !known {
			if r.budget -= int64(planBytes(count)); r.budget < 0 {
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
	p, known := r.cache[b.Offset]
	if !known {
		p = decodePlan(b.Data, count)
		p.At = b.Offset
		r.cache[b.Offset] = p
	}
	p.Entry, p.Buffer = entry, index
	return p, nil
}

// unreadable returns the law that prevents reading a buffer as a plan, and why.
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

// countOf returns the third word, the declared number of offsets.
func countOf(data []byte) int32 { return int32(le.Uint32(data[2*wordBytes:])) }

// decodePlan decodes a plan from data, which must be long enough.
func decodePlan(data []byte, count int) Plan {
	word := func(i int) int32 { return int32(le.Uint32(data[wordBytes*i:])) }
	p := Plan{Version: word(0), Subgraphs: word(1), Offsets: make([]int32, count)}
	for i := range p.Offsets {
		p.Offsets[i] = word(headerWords + i)
	}
	p.Spare = data[planBytes(count):]
	return p
}
