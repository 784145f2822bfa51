package parts

import (
	"github.com/tflarena/tflarena/alloc/inplace"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/tflite"
)

// scene is a fragment that replaces some operators of a row: its tensors with their usage
// records. Position 0 precedes its first operator.
type scene struct {
	row      *Row
	fragment *split.Fragment
	// base is the index of the first tensor that the fragment adds, last the index of the last
	// replaced operator.
	base, last int
	// index holds the record index of each tensor, plus one.
	index     []int32
	records   []lifetime.Record
	reads     [][]lifetime.Read
	takeovers []lifetime.Takeover
	overlaps  []lifetime.Overlap
	// made caches the added tensors requested; see tensor.
	made map[int]*tflite.Tensor
}

// peaks returns the peak of live bytes of the fragment, which replaces operators first to last,
// both inclusive, with and without in-place outputs. Tensors live around it are included.
func (s *scene) peaks(first, last int) (peak, sure int64) {
	beside := s.row.beside(first, last)
	sure = beside + lifetime.MaxBreadth(s.records)
	if !s.row.shares() {
		return sure, sure
	}
	s.takeOver()
	s.overlap()
	return beside + s.shared(), sure
}

// shares reports whether in-place outputs are permitted.
func (r *Row) shares() bool { return r.alias != rules.NoAlias && r.alias != "" }

// scene returns the records of a fragment that replaces operators first to last, both
// inclusive.
func (r *Row) scene(f *split.Fragment, first, last int) *scene {
	most := len(f.Tensors) + last - first + 2 // approximate: it may grow
	s := &scene{
		row: r, fragment: f, base: r.base(), last: last, index: make([]int32, r.base()+len(f.Tensors)),
		records: make([]lifetime.Record, 0, most), reads: make([][]lifetime.Read, 0, most),
	}
	for i := range f.Operators {
		s.operator(i)
	}
	return s
}

// remain reduces the records to the bytes yet to be read.
func (s *scene) remain() {
	if s.row.alias.Overwrites() {
		for i := range s.records {
			s.records[i] = s.records[i].Remaining(s.reads[i])
		}
	}
}

// shared returns the peak of live bytes with all in-place outputs and overlaps.
func (s *scene) shared() int64 {
	s.remain()
	if s.takeovers == nil {
		return lifetime.LeastBreadth(s.records, s.overlaps)
	}
	m := inplace.Merge(s.records, s.takeovers, nil)
	return lifetime.LeastBreadth(m.Records, m.Overlaps(s.records, s.overlaps))
}

// operator adds or extends the records of an operator's inputs and outputs.
func (s *scene) operator(i int) {
	op := &s.fragment.Operators[i]
	inputs, outputs := s.operands(op)
	for k, t := range inputs {
		if r := s.record(t, 0, i+1); r >= 0 {
			s.reads[r] = append(s.reads[r], s.read(op, k, i+1, s.records[r].Size))
		}
	}
	for _, t := range outputs {
		s.record(t, i+1, i+1)
	}
	if bytes := s.scratchOf(op, outputs); bytes > 0 {
		s.records, s.reads = append(s.records, lifetime.Record{First: i + 1, Last: i + 1, Size: bytes, Align: Align}), append(s.reads, nil)
	}
}

// scratchOf returns a tile's scratch request: from the kernel library, if known, otherwise in
// proportion to the elements of the output.
func (s *scene) scratchOf(op *edit.Operator, outputs []int) int64 {
	switch {
	case op.Kind == edit.Keep: // whatever its outputs, possibly none
		return s.row.scratch[op.Of]
	case op.Kind > edit.Valid || s.row.scratch[op.Of] == 0 || len(outputs) == 0:
		return 0
	}
	if s.row.known {
		stand, _, _ := s.stand(op)
		if stand != nil {
			return stand.Scratch(s.row.device)
		}
	}
	piece, whole := s.packed(outputs[0]), s.packed(s.row.model.Subgraphs[0].Operators[op.Of].Outputs[0])
	if whole == 0 {
		return s.row.scratch[op.Of]
	}
	return RoundUp(int64(float64(s.row.scratch[op.Of]) * float64(piece) / float64(whole)))
}

// operands returns an operator's inputs and outputs.
func (s *scene) operands(op *edit.Operator) (inputs, outputs []int) {
	if op.Kind != edit.Keep {
		return op.Inputs, op.Outputs
	}
	old := &s.row.model.Subgraphs[0].Operators[op.Of]
	return old.Inputs, old.Outputs
}

// record returns the index of a tensor's record, extended to position last, or -1 if it takes
// no memory.
func (s *scene) record(t, first, last int) int {
	if t < 0 {
		return -1
	}
	if s.index[t] == 0 {
		size := s.bytes(t)
		if size == 0 {
			return -1
		}
		if t < s.base && s.row.last[t] > s.last {
			last = len(s.fragment.Operators) + 1
		}
		s.reads = append(s.reads, nil)
		s.records = append(s.records, lifetime.Record{First: first, Last: last, Size: size, Align: Align})
		s.index[t] = int32(len(s.records))
	}
	r := int(s.index[t]) - 1
	s.records[r].Last = max(s.records[r].Last, last)
	return r
}
