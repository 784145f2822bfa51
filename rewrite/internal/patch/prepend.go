package patch

import (
	"fmt"
	"math"

	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/tflite"
)

// Prepend returns the file of m with the plan and marker of c, or with none, by prepending new
// tables. changes describes the edit for people. forced overrides the refusals that can be
// overridden.
func Prepend(m *tflite.Model, c Carried, forced bool) (data []byte, changes []string, err error) {
	p, sites, lines, err := prepare(m, c, forced)
	if err != nil {
		return nil, nil, err
	}
	out := p.write(m)
	if err := Move(out[p.Shift():], sites, p.Shift()); err != nil {
		return nil, nil, err
	}
	if err := audit(m, out, p.Shift(), c); err != nil {
		return nil, nil, err
	}
	return out, append(p.describe(m, sites), lines...), nil
}

// Prepended returns the size in bytes of the file that [Prepend] returns.
func Prepended(m *tflite.Model, c Carried, forced bool) (int64, error) {
	p, _, _, err := prepare(m, c, forced)
	if err != nil {
		return 0, err
	}
	return p.Shift() + int64(len(m.Data)), nil
}

// prepare lays out the prefix, and returns the positions that move and a description of the refusals overridden.
func prepare(m *tflite.Model, c Carried, forced bool) (p *prefix, sites []Site, lines []string, err error) {
	p = newPrefix(m, c)
	if err := checkPrefix(m, p); err != nil {
		return nil, nil, nil, err
	}
	sites, zipProblem := FindSites(m)
	lines, err = Force(forced, CheckMovable(m), zipProblem)
	return p, sites, lines, err
}

// describe lists the changes that the prefix makes.
func (p *prefix) describe(m *tflite.Model, sites []Site) (lines []string) {
	lines = append(lines, fmt.Sprintf("%s inserted at the start of the file; all other bytes unchanged", units.ExactBytes(p.Shift())))
	why := ", for want of room in their buffer"
	if len(p.slots) > 1 || len(MarkerEntries(m)) > 0 {
		why = "" // a plan may be removed because its marker needs room
	}
	for _, name := range []string{PlanName, MarkerName} {
		if old := entriesOf(m, name); len(old) > 0 {
			lines = append(lines, fmt.Sprintf("metadata entries %s left out%s: %d", name, why, len(old)))
		}
	}
	for i, s := range p.slots {
		lines = append(lines, fmt.Sprintf("metadata[%d] %s is new, its %s in buffers[%d]", len(p.metadata)+i, s.name, s.word, p.bufferOf(i)))
	}
	if len(sites) > 0 {
		lines = append(lines, fmt.Sprintf("positions that count from the start of the file and move along: %d", len(sites)))
	}
	return lines
}

// checkPrefix refuses models that the prefix cannot represent.
func checkPrefix(m *tflite.Model, p *prefix) error {
	if id, found := p.old.newer(); found {
		return newerField("the root table", id)
	}
	if err := CheckPositions(m, p.Shift()); err != nil {
		return err
	}
	return CheckSize(m.FlatbufferEnd, int64(len(m.Data)), p.Shift())
}

// newerField returns the refusal of a table with a field unknown to the schema.
func newerField(table string, id int) error {
	return &RefusedError{fmt.Sprintf(
		"%s has field %d, which is newer than this program's schema: it may be a reference or a number, and cannot be carried over", table, id), false}
}

// CheckSize refuses a file whose flatbuffer would exceed 2 GiB, the range of signed offsets, or
// that would exceed the size this program reads.
func CheckSize(flatbuffer, file, shift int64) error {
	switch {
	case flatbuffer+shift > math.MaxInt32:
		return &RefusedError{fmt.Sprintf("the flatbuffer would grow to %s; the format ends at 2 GiB", units.ExactBytes(flatbuffer+shift)), false}
	case file+shift > tflite.MaxSize:
		return &RefusedError{fmt.Sprintf("the file would grow to %s, more than the %s that tflarena reads", units.ExactBytes(file+shift), units.ExactBytes(int64(tflite.MaxSize))), false}
	}
	return nil
}
