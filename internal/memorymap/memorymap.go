// Package memorymap holds a memory plan to be shown: which bytes each record holds, and when. Package
// textmap draws it with characters and package picture on a page; the page of the command "report"
// shows the same roles in the same colours.
package memorymap

import (
	"cmp"
	"fmt"
	"sort"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
)

// A Map is a memory plan to be shown.
type Map struct {
	// Records and Offsets, in bytes, are parallel, and so are Roles, unless they are nil: then each
	// record is a [lifetime.RoleTensor].
	Records []lifetime.Record
	Offsets []int64
	Roles   []lifetime.Role
	// Lives are the held bytes of each record, relative to its first byte, in half positions. They
	// replace the pieces of the records; nil for records that hold the same bytes from First to Last.
	Lives [][]lifetime.Life
	// Steps are the names of positions, from position 0 on; nil if they have only numbers.
	Steps []string
	// Unit names a position.
	Unit Unit
	// Load is the live bytes over time; nil means those of Lives, or else of Records.
	Load []lifetime.Section
	// Total, LowerBound and Capacity are in bytes. The last two are zero if unknown.
	Total, LowerBound, Capacity int64
	// Shares reports that records share bytes on purpose.
	Shares bool
}

// A Unit names a position of a map.
type Unit string

// Units of positions. The records of a map in events are blocks of a trace: their names are their
// requesters, and their IDs are addresses.
const (
	Operators Unit = "operator"
	Steps     Unit = "step"
	Events    Unit = "event"
)

// A Span is the range of a map's positions.
type Span struct {
	// First and Last are positions, both inclusive.
	First, Last int
}

// Span returns the range of all records, steps and live bytes.
func (m *Map) Span() Span {
	s := Span{Last: max(len(m.Steps)-1, 0)}
	if len(m.Steps) == 0 && len(m.Records) > 0 {
		s = Span{First: m.Records[0].First, Last: m.Records[0].Last}
	}
	for _, r := range m.Records {
		s = s.With(Span{First: r.First, Last: r.Last})
	}
	for _, l := range m.Load {
		s = s.With(Span{First: l.First, Last: l.Last})
	}
	return s
}

// With returns the union of two spans.
func (s Span) With(t Span) Span {
	return Span{First: min(s.First, t.First), Last: max(s.Last, t.Last)}
}

// Distance returns the number of positions from the first one to a given one. Positions of problems may
// be so far apart that their difference overflows int.
func (s Span) Distance(position int) float64 { return float64(uint64(position) - uint64(s.First)) }

// Positions returns the number of positions.
func (s Span) Positions() float64 { return s.Distance(s.Last) + 1 }

// An Area is bytes held for a time.
type Area struct {
	// From and To are distances from the first position of a span: [From, To).
	From, To float64
	// Lo and Hi are addresses: [Lo, Hi).
	Lo, Hi int64
}

// Areas returns what a record holds, with times as distances in a span that contains the record.
func (m *Map) Areas(i int, s Span) (list []Area) {
	at := m.Offsets[i]
	if m.Lives != nil {
		for _, l := range m.Lives[i] {
			list = append(list, Area{From: float64(l.First)/2 - float64(s.First), To: float64(l.Last+1)/2 - float64(s.First), Lo: at + l.Lo, Hi: at + l.Hi})
		}
		return list
	}
	for p := range m.Records[i].Pieces {
		list = append(list, Area{From: s.Distance(p.First), To: s.Distance(p.Last) + 1, Lo: at + p.Lo, Hi: at + p.Hi})
	}
	return list
}

// Overlaps returns the areas that two records hold at the same time.
func (m *Map) Overlaps(s Span) (list []Area) {
	var areas []Area
	for i := range m.Records {
		for _, a := range m.Areas(i, s) {
			if a.Hi > a.Lo {
				areas = append(areas, a)
			}
		}
	}
	sort.SliceStable(areas, func(i, j int) bool { return areas[i].From < areas[j].From })
	var active []Area
	for _, a := range areas {
		active = slices.DeleteFunc(active, func(b Area) bool { return b.To <= a.From })
		for _, b := range active {
			if lo, hi := max(a.Lo, b.Lo), min(a.Hi, b.Hi); lo < hi {
				list = append(list, Area{From: a.From, To: min(a.To, b.To), Lo: lo, Hi: hi})
			}
		}
		active = append(active, a)
	}
	return list
}

// Sections returns the live bytes over time.
func (m *Map) Sections() []lifetime.Section {
	if m.Load != nil {
		return m.Load
	}
	if m.Lives != nil {
		var l load
		for _, lives := range m.Lives {
			l.add(lives)
		}
		return l.sections()
	}
	return lifetime.Sections(m.Records)
}

// Role returns the role of a record.
func (m *Map) Role(i int) lifetime.Role {
	if m.Roles == nil {
		return lifetime.RoleTensor
	}
	return m.Roles[i]
}

// StepName returns the number of a position, followed by its name if it has one.
func (m *Map) StepName(position int) string {
	if position < 0 || position >= len(m.Steps) {
		return fmt.Sprint(position)
	}
	return fmt.Sprint(position) + " " + m.Steps[position]
}

// Requesters returns the names of the blocks of a trace: first those that hold the most bytes for the
// longest. It returns nil if no block has a name.
func (m *Map) Requesters() []string {
	held := map[string]float64{}
	for _, r := range m.Records {
		held[r.Name] += float64(r.Size) * (float64(r.Last) - float64(r.First) + 1)
	}
	names := make([]string, 0, len(held))
	for name := range held {
		names = append(names, name)
	}
	if len(names) == 1 && names[0] == "" {
		return nil
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(held[b], held[a]), cmp.Compare(a, b)) })
	return names
}
