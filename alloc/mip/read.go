package mip

import (
	"fmt"
	"io"

	"github.com/tflarena/tflarena/alloc/check"
	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime"
)

// ReadSolution reads a solution of the program that [WriteLP] or [WriteMPS] wrote for the same records
// and the same apart, with any upper: the file that CBC's command "solution" or glpsol --write makes.
// It returns the offset of each record and the size of the arena, in bytes.
//
// CBC prints seven digits, and solvers accept integers to a millionth. So ReadSolution takes only the
// order from the solution, that is which record lies below which, and returns the lowest offsets in
// that order: the arena is at most the solver's. An empty record gets offset 0, or the offset where it
// is pinned. The plan has passed the checker.
//
// Errors are [ErrSolution] with the line of the file, errors of [WriteLP] about records, and read
// errors.
func ReadSolution(r io.Reader, records []lifetime.Record, apart Forbid) (offsets []int64, total int64, err error) {
	p, err := newOffsets(records, apart, 0)
	if err != nil {
		return nil, 0, err
	}
	values, err := readValues(r, p.columns)
	if err != nil {
		return nil, 0, err
	}
	edges, err := p.edges(values)
	if err != nil {
		return nil, 0, err
	}
	if offsets, err = lowest(records, edges); err != nil {
		return nil, 0, err
	}
	for i, r := range records {
		if r.Size > 0 {
			total = max(total, offsets[i]+r.Size)
		}
	}
	// Seven digits may be slightly too low.
	if said := values[p.u] * float64(p.unit); float64(total) > said*(1+1e-6) {
		return nil, 0, &solutionError{0, fmt.Sprintf("the solution says %s, but its order of the records takes %s", units.ExactBytes(int64(said)), units.ExactBytes(total))}
	}
	if apart == nil {
		err = check.Offsets(records, offsets, total)
	} else {
		err = check.Distances(records, offsets, total, apart)
	}
	if err != nil {
		return nil, 0, &solutionError{0, err.Error()}
	}
	return offsets, total, nil
}

// An edge requires that the offset of record to is at least the offset of record from, plus a distance
// in bytes.
type edge struct {
	from, to int
	distance int64
}

func (p *offsetsProgram) edges(values []float64) ([]edge, error) {
	edges := make([]edge, 0, len(p.pairs))
	for k, pair := range p.pairs {
		switch values[p.z[k]] {
		case 0:
			edges = append(edges, edge{pair.i, pair.j, pair.hi})
		case 1:
			edges = append(edges, edge{pair.j, pair.i, -pair.lo})
		default:
			return nil, notBinary(p.columns[p.z[k]], values[p.z[k]])
		}
	}
	return edges, nil
}

func notBinary(c column, value float64) error {
	return &solutionError{0, fmt.Sprintf("%s is %g: it has to be 0 or 1", c.name, value)}
}

// lowest returns the lowest offsets that satisfy the edges, found from below. Without gaps a feasible
// order is settled after as many rounds as there are records; with gaps, alignments may take a few
// more.
func lowest(records []lifetime.Record, edges []edge) ([]int64, error) {
	offsets := make([]int64, len(records))
	for i, r := range records {
		if r.Pinned {
			offsets[i] = r.Offset
		}
	}
	for range 4*len(records) + 64 {
		moved, err := raise(records, edges, offsets)
		if err != nil || !moved {
			return offsets, err
		}
	}
	return nil, &solutionError{0, "the solution's order of the records contradicts itself"}
}

// raise makes every edge hold once, in their order.
func raise(records []lifetime.Record, edges []edge, offsets []int64) (moved bool, err error) {
	for _, e := range edges {
		least := integer.RoundUp(offsets[e.from]+e.distance, records[e.to].Alignment())
		switch {
		case least <= offsets[e.to]:
			continue
		case records[e.to].Pinned:
			return false, &solutionError{0, fmt.Sprintf("the solution puts record %d (%s) at offset %s or above, and it is pinned at %s",
				e.to, quoted(records[e.to]), units.Number(least), units.Number(records[e.to].Offset))}
		case least > 4*lifetime.MaxTotal:
			return false, &solutionError{0, "the solution's order of the records contradicts itself"}
		}
		offsets[e.to], moved = least, true
	}
	return moved, nil
}

// ReadSharedSolution reads a solution of the program that [WriteSharedLP] or [WriteSharedMPS] wrote for
// the same records. It returns each record's object, the objects' sizes and their sum in bytes. An
// empty record is in object 0. The plan has passed the checker; errors are as for [ReadSolution].
func ReadSharedSolution(r io.Reader, records []lifetime.Record) (objects []int, sizes []int64, total int64, err error) {
	p, err := newShared(records)
	if err != nil {
		return nil, nil, 0, err
	}
	values, err := readValues(r, p.columns)
	if err != nil {
		return nil, nil, 0, err
	}
	leaders, err := p.leaders(values)
	if err != nil {
		return nil, nil, 0, err
	}
	objects, object := make([]int, len(records)), map[int]int{}
	for i, size := range records {
		if leaders[i] == i {
			object[i] = len(sizes)
			sizes, total = append(sizes, size.Size), total+size.Size
		}
	}
	for i, leader := range leaders {
		objects[i] = object[leader]
	}
	if len(sizes) == 0 && len(records) > 0 {
		sizes = []int64{0}
	}
	if err := check.Shared(records, objects, sizes, total); err != nil {
		return nil, nil, 0, &solutionError{0, err.Error()}
	}
	return objects, sizes, total, nil
}

// leaders returns the leader of each record's object, -1 for empty records.
func (p *sharedProgram) leaders(values []float64) ([]int, error) {
	leaders := make([]int, len(p.records))
	for i := range leaders {
		leaders[i] = -1
	}
	set := func(record, leader, y int) error {
		switch {
		case values[y] == 0:
			return nil
		case values[y] != 1:
			return notBinary(p.columns[y], values[y])
		case leaders[record] >= 0:
			return &solutionError{0, fmt.Sprintf("record %d (%s) is in two objects", record, quoted(p.records[record]))}
		}
		leaders[record] = leader
		return nil
	}
	for _, i := range p.order {
		if err := set(i, i, p.lead[i]); err != nil {
			return nil, err
		}
	}
	for _, f := range p.follow {
		if err := set(f.record, f.leader, f.column); err != nil {
			return nil, err
		}
	}
	for _, i := range p.order {
		if leader := leaders[i]; leader < 0 || leaders[leader] != leader {
			return nil, &solutionError{0, fmt.Sprintf("record %d (%s) is in no object", i, quoted(p.records[i]))}
		}
	}
	return leaders, nil
}
