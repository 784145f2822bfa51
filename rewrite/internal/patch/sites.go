package patch

import (
	"cmp"
	"fmt"
	"math"

	flatbuffers "github.com/google/flatbuffers/go"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// Ids of the fields that hold file positions.
const (
	bufferOffset       = 1
	LargeOptionsOffset = 9
)

// Site is a field that holds a file position: Width bytes at byte offset At.
type Site struct {
	At    int64
	Width int
}

// FindSites returns all sites without duplicates, by offset; tables may be shared. It also
// returns the problem of the first zip archive whose positions could not be determined; those
// are omitted.
func FindSites(m *tflite.Model) (sites []Site, problem error) {
	sites = tableSites(m)
	for _, r := range m.Trailing {
		if r.Kind != "zip" {
			continue
		}
		inside, err := zipSites(m.Data, r)
		if problem == nil {
			problem = err
		}
		sites = append(sites, inside...)
	}
	slices.SortStableFunc(sites, func(a, b Site) int { return cmp.Compare(a.At, b.At) })
	return slices.Compact(sites), problem
}

// tableSites returns the sites inside the flatbuffer.
func tableSites(m *tflite.Model) (sites []Site) {
	positions(m, func(at int64, position uint64) {
		// 0 and 1 mean absent; a value outside the file is not a position.
		if position > 1 && position <= uint64(len(m.Data)) {
			sites = append(sites, Site{at, 8})
		}
	})
	return sites
}

// CheckPositions refuses a file with a position beyond its end that would point into the new
// file, which is longer by shift bytes.
func CheckPositions(m *tflite.Model, shift int64) (refused error) {
	positions(m, func(at int64, position uint64) {
		size := uint64(len(m.Data))
		if refused == nil && position > size && position-size <= uint64(shift) {
			refused = &RefusedError{fmt.Sprintf(
				"the position at %#x leads to %#x, behind the end of the file, and would lead into the file that is longer by %s",
				at, position, units.ExactBytes(shift)), false}
		}
	})
	return refused
}

// positions visits every field of the flatbuffer that may hold a file position, with the
// field's offset and value. Shared tables are visited repeatedly.
func positions(m *tflite.Model, visit func(at int64, position uint64)) {
	add := func(t flatbuffers.Table, id int) {
		if at, present := FieldAt(t, id); present {
			visit(at, le.Uint64(m.Data[at:]))
		}
	}
	r := schema.GetRootAsModel(m.Data, 0)
	var b schema.Buffer
	for i := range m.Buffers {
		r.Buffers(&b, i)
		add(b.Table(), bufferOffset)
	}
	for s := range m.Subgraphs {
		for i := range m.Subgraphs[s].Operators {
			op := m.Subgraphs[s].Operators[i].Table()
			add(op.Table(), LargeOptionsOffset)
		}
	}
}

// Move adds delta to the position at every site of data.
func Move(data []byte, sites []Site, delta int64) error {
	for _, s := range sites {
		if s.Width == 8 {
			le.PutUint64(data[s.At:], le.Uint64(data[s.At:])+uint64(delta))
			continue
		}
		position := int64(le.Uint32(data[s.At:])) + delta
		// The maximum value marks zip64.
		if position >= math.MaxUint32 {
			return &RefusedError{fmt.Sprintf("the zip archive would move to %s, beyond the 4 GiB of its format", units.ExactBytes(position)), false}
		}
		le.PutUint32(data[s.At:], uint32(position))
	}
	return nil
}
