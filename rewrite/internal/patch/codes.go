package patch

import (
	"fmt"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// Field ids of an operator code, and their offsets in a new table.
const (
	codeDeprecated = 0
	codeCustom     = 1
	codeVersion    = 2
	codeBuiltin    = 3
	// codeFields is the number of fields known to the schema.
	codeFields = 4

	customPlace     = 4
	versionPlace    = 8
	builtinPlace    = 12
	deprecatedPlace = 16
	codeSize        = 20
	codeVtable      = 4 + 2*codeFields
)

// codesFront holds a root table and a vector of operator codes, some of them new tables with
// the new code field filled.
type codesFront struct {
	rootFront
	model *tflite.Model
	// fill are the indexes of the codes with new tables; tables are the positions of those
	// tables.
	fill   []int
	tables []int64
	vector int64
}

// FillCodes returns the file of m with the new field of the given operator codes set to the
// value of the deprecated one, by prepending new tables. changes describes the edit for people.
// forced overrides the refusals that can be overridden.
func FillCodes(m *tflite.Model, fill []int, forced bool) (data []byte, changes []string, err error) {
	f := &codesFront{rootFront: rootFront{old: RootOf(m)}, model: m, fill: fill}
	f.reserve()
	if err := f.check(); err != nil {
		return nil, nil, err
	}
	sites, zipProblem := FindSites(m)
	lines, err := Force(forced, CheckMovable(m), zipProblem)
	if err != nil {
		return nil, nil, err
	}
	out := f.write()
	if err := Move(out[f.Shift():], sites, f.Shift()); err != nil {
		return nil, nil, err
	}
	if err := f.audit(out); err != nil {
		return nil, nil, err
	}
	return out, append(f.describe(sites), lines...), nil
}

func (f *codesFront) reserve() {
	f.reserveRoot(asBefore)
	f.vector = f.Reserve(4+4*int64(len(f.model.OperatorCodes)), 0, 4)
	for range f.fill {
		f.tables = append(f.tables, f.Reserve(codeVtable+codeSize, 0, 4)+codeVtable)
	}
}

// check refuses tables with fields newer than the schema.
func (f *codesFront) check() error {
	if id, found := f.old.newer(); found {
		return newerField("the root table", id)
	}
	for _, i := range f.fill {
		if id, found := NewerField(f.code(i).Table(), codeFields); found {
			return newerField(fmt.Sprintf("operator_codes[%d]", i), id)
		}
	}
	if err := CheckPositions(f.model, f.Shift()); err != nil {
		return err
	}
	return CheckSize(f.model.FlatbufferEnd, int64(len(f.model.Data)), f.Shift())
}

func (f *codesFront) code(i int) *schema.OperatorCode {
	var c schema.OperatorCode
	schema.GetRootAsModel(f.old.Data, 0).OperatorCodes(&c, i)
	return &c
}

// write returns the file: the front, then the old bytes.
func (f *codesFront) write() Output {
	out := f.writeRoot(f.model, map[int]int64{fieldOperatorCodes: f.vector})
	targets := f.moved(f.old.Targets(fieldOperatorCodes))
	for k, i := range f.fill {
		targets[i] = f.tables[k]
		f.writeCode(out, f.tables[k], f.code(i))
	}
	out.Vector(f.vector, targets)
	return out
}

// writeCode writes a code with both fields.
func (f *codesFront) writeCode(out Output, at int64, c *schema.OperatorCode) {
	custom := 0
	if old, present := FieldAt(c.Table(), codeCustom); present {
		custom = customPlace
		out.Refer(at+customPlace, f.old.Follow(old)+f.Shift())
	}
	fields := []int{codeDeprecated: deprecatedPlace, codeCustom: custom, codeVersion: versionPlace, codeBuiltin: builtinPlace}
	out.table(at-codeVtable, at, codeSize, fields...)
	out.U32(at+versionPlace, int64(c.Version()))
	out.U32(at+builtinPlace, int64(c.DeprecatedBuiltinCode()))
	out[at+deprecatedPlace] = byte(c.DeprecatedBuiltinCode())
}

// audit parses the new file and compares it with the old one.
func (f *codesFront) audit(data []byte) error {
	m, err := tflite.Parse(data, f.model.Name)
	if err != nil {
		return Sharing("the rewritten file would be broken: %v", err)
	}
	if err := SharedBytes(f.old.Data, data, f.Shift()); err != nil {
		return err
	}
	want := *f.model
	want.OperatorCodes = slices.Clone(want.OperatorCodes)
	for _, i := range f.fill {
		want.OperatorCodes[i].NewField = want.OperatorCodes[i].Builtin
	}
	if part := Difference(&want, m, f.Shift()); part != "" {
		return Sharing("the rewritten file would differ in its %s", part)
	}
	return SameArchive(f.model, data, f.Shift())
}

// describe lists the changes.
func (f *codesFront) describe(sites []Site) []string {
	var names []string
	for _, i := range f.fill {
		names = append(names, f.model.OperatorCodes[i].Name())
	}
	lines := []string{
		fmt.Sprintf("%s inserted at the start of the file; everything else moves by as much", units.ExactBytes(f.Shift())),
		fmt.Sprintf("the new field for operator codes is filled, which was empty: %s", strings.Join(names, ", ")),
	}
	if len(sites) > 0 {
		lines = append(lines, fmt.Sprintf("positions that count from the start of the file and move along: %d", len(sites)))
	}
	return lines
}
