package mip

import (
	"cmp"
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime"
)

// A sharedProgram is the program of shared objects with the meaning of its variables.
type sharedProgram struct {
	program
	records []lifetime.Record
	unit    int64 // bytes
	// order has the non-empty records, the largest first: each leads an object only of those that
	// follow it.
	order []int
	// lead has the column that makes a record lead its own object, follow the columns of the other
	// records that may be in it.
	lead   map[int]int
	follow []follow
}

// A follow is the column that puts a record into the object of a leader.
type follow struct{ record, leader, column int }

func newShared(records []lifetime.Record) (*sharedProgram, error) {
	if err := lifetime.CheckRecords(records); err != nil {
		return nil, err
	}
	p := &sharedProgram{records: records, unit: unitOfSizes(records), order: nonEmpty(records), lead: map[int]int{}}
	slices.SortStableFunc(p.order, func(i, j int) int { return -cmp.Compare(records[i].Size, records[j].Size) })
	p.note("The least memory for shared objects of %d records, in units of %s.", len(records), units.ExactBytes(p.unit))
	p.note("yI_J is 1 when record I lies in the object that record J leads.")
	var sum int64
	for _, j := range p.order {
		p.note("y%d_%d: record %s", j, j, quoted(records[j]))
		y, err := p.binary(fmt.Sprintf("y%d_%d", j, j), records[j].Size/p.unit)
		if err != nil {
			return nil, err
		}
		p.lead[j] = y
		sum += records[j].Size / p.unit
	}
	if sum > maxNumber {
		return nil, fmt.Errorf("sizes of %s units of %s: %w", units.Number(sum), units.ExactBytes(p.unit), ErrTooLarge)
	}
	if len(p.order) == 0 {
		none := p.column("none", 1, 0, 0)
		return p, p.row("t", atLeast, 0, term{1, none})
	}
	followers, err := p.assign()
	if err != nil {
		return nil, err
	}
	for _, j := range p.order {
		if err := p.cliques(j, followers[j]); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// assign puts every record into one object. It returns the possible followers of each leader.
func (p *sharedProgram) assign() (map[int][]follow, error) {
	followers := map[int][]follow{}
	for k, i := range p.order {
		terms := []term{{1, p.lead[i]}}
		for _, j := range p.order[:k] {
			if p.records[i].Overlaps(p.records[j]) {
				continue
			}
			y, err := p.binary(fmt.Sprintf("y%d_%d", i, j), 0)
			if err != nil {
				return nil, err
			}
			f := follow{i, j, y}
			p.follow, followers[j] = append(p.follow, f), append(followers[j], f)
			terms = append(terms, term{1, y})
		}
		if err := p.row(fmt.Sprintf("r%d", i), equal, 1, terms...); err != nil {
			return nil, err
		}
	}
	return followers, nil
}

// cliques adds for each maximal set of followers that are alive at one position that at most one of
// them is in the object, and only if it exists.
func (p *sharedProgram) cliques(leader int, followers []follow) error {
	columns, members := map[int]int{}, make([]int, len(followers))
	for k, f := range followers {
		columns[f.record], members[k] = f.column, f.record
	}
	count := 0
	return cliques(p.records, members, func(alive []int) error {
		terms := make([]term, 0, len(alive)+1)
		for _, i := range alive {
			terms = append(terms, term{1, columns[i]})
		}
		count++
		return p.row(fmt.Sprintf("c%d_%d", leader, count), atMost, 0, append(terms, term{-1, p.lead[leader]})...)
	})
}
