package tflite

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/fbs"
	"github.com/tflarena/tflarena/schema"
)

func parseSchema(t *testing.T) *fbs.Schema {
	t.Helper()
	text, err := os.ReadFile("../schema/tflite.fbs")
	if err != nil {
		t.Fatal(err)
	}
	s, err := fbs.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// describe formats a field of the verifier's table like the schema.
func describe(f field) string {
	switch f.kind {
	case kindString:
		return "string"
	case kindTable:
		return layouts[f.ref].name
	case kindTables:
		return "[" + layouts[f.ref].name + "]"
	case kindUnion:
		return unions[f.ref].name
	case kindVector:
		return "[" + strconv.Itoa(int(f.size)) + "]"
	default:
		return strconv.Itoa(int(f.size))
	}
}

// The verifier's table has every table and every field of the schema text, with its id and
// type.
func TestLayoutsAreTheSchema(t *testing.T) {
	s := parseSchema(t)
	widths := map[string]string{
		"bool": "1", "byte": "1", "ubyte": "1", "ushort": "2", "int": "4", "int32": "4",
		"uint": "4", "float": "4", "long": "8", "ulong": "8",
	}
	for _, e := range s.Enums {
		widths[e.Name] = widths[e.Type]
	}
	isUnion := map[string]bool{}
	for _, u := range s.Unions {
		isUnion[u.Name] = true
	}
	want, got := map[string]map[int]string{}, map[string]map[int]string{}
	for _, table := range s.Tables {
		fields := map[int]string{}
		for _, f := range table.Fields {
			kind := f.Type
			if w, scalar := widths[kind]; scalar {
				kind = w
			}
			if f.Vector {
				kind = "[" + kind + "]"
			}
			if isUnion[f.Type] {
				fields[f.ID-1] = f.Name + "_type 1"
			}
			fields[f.ID] = f.Name + " " + kind
		}
		want[table.Name] = fields
	}
	for _, l := range layouts {
		got[l.name] = map[int]string{}
		for id, f := range l.fields {
			got[l.name][id] = f.name + " " + describe(f)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("schema and verifier differ (-schema +verifier):\n%s", diff)
	}
}

func TestUnionsAreTheSchema(t *testing.T) {
	for i, u := range parseSchema(t).Unions {
		var members []string
		for _, m := range unions[i].members {
			members = append(members, layouts[m].name)
		}
		if diff := cmp.Diff(u.Members, members); diff != "" || u.Name != unions[i].name {
			t.Errorf("union %s is %s:\n%s", u.Name, unions[i].name, diff)
		}
	}
	for union, names := range map[unionID]map[uint8]string{
		unionBuiltinOptions:  tagNames(schema.EnumNamesBuiltinOptions),
		unionBuiltinOptions2: tagNames(schema.EnumNamesBuiltinOptions2),
	} {
		for tag, name := range names {
			if member, ok := unions[union].member(tag); ok != (tag != 0) || ok && layouts[member].name != name {
				t.Errorf("%s: tag %d is not %s", unions[union].name, tag, name)
			}
		}
	}
}

func tagNames[T ~uint8](names map[T]string) map[uint8]string {
	out := map[uint8]string{}
	for tag, name := range names {
		out[uint8(tag)] = name
	}
	return out
}

// The generated accessors read every field from the slot that the verifier checks.
func TestLayoutsAreTheAccessors(t *testing.T) {
	source, err := os.ReadFile("../schema/tflite_generated.go")
	if err != nil {
		t.Fatal(err)
	}
	accessor := regexp.MustCompile(`func \(rcv \*(\w+)\) (\w+)\([^\n]*\n\to := flatbuffers\.UOffsetT\(rcv\._tab\.Offset\((\d+)\)\)`)
	slots := map[string]map[string]int{}
	for _, m := range accessor.FindAllStringSubmatch(string(source), -1) {
		if slots[m[1]] == nil {
			slots[m[1]] = map[string]int{}
		}
		slot, _ := strconv.Atoi(m[3])
		slots[m[1]][strings.ToLower(m[2])] = slot
	}
	deprecated := map[string]bool{"new_height": true, "new_width": true, "deprecated_tag": true}
	checked := 0
	for _, l := range layouts {
		for id, f := range l.fields {
			slot, ok := slots[l.name][strings.ToLower(strings.ReplaceAll(f.name, "_", ""))]
			if ok && slot == 4+2*id {
				checked++
			} else if !deprecated[f.name] {
				t.Errorf("%s.%s: accessor slot %d, want %d", l.name, f.name, slot, 4+2*id)
			}
		}
	}
	if checked < 200 {
		t.Errorf("only %d accessors were found", checked)
	}
}

// No table type contains itself, so the recursion of the verifier is bounded.
func TestSchemaDepth(t *testing.T) {
	var depth func(id tableID, seen map[tableID]bool) int
	depth = func(id tableID, seen map[tableID]bool) (deepest int) {
		if seen[id] {
			t.Fatalf("%s contains itself", layouts[id].name)
		}
		seen[id] = true
		defer delete(seen, id)
		for _, f := range layouts[id].fields {
			var inner []tableID
			switch f.kind {
			case kindTable, kindTables:
				inner = []tableID{f.ref}
			case kindUnion:
				inner = unions[f.ref].members
			}
			for _, t := range inner {
				deepest = max(deepest, depth(t, seen))
			}
		}
		return deepest + 1
	}
	if got := depth(tableModel, map[tableID]bool{}); got != 6 {
		t.Errorf("the schema is %d tables deep, want 6", got)
	}
}

// Every operator whose options have a field that names a subgraph is a caller.
func TestCallersAreComplete(t *testing.T) {
	named := regexp.MustCompile(`subgraph|called_computations`)
	used := map[tableID]int{}
	for _, c := range callers {
		used[c.options] = len(c.fields)
	}
	for _, u := range []unionID{unionBuiltinOptions, unionBuiltinOptions2} {
		for _, id := range unions[u].members {
			n := 0
			for _, f := range layouts[id].fields {
				if named.MatchString(f.name) {
					n++
				}
			}
			if n != used[id] {
				t.Errorf("%s names %d subgraphs, %d are read", layouts[id].name, n, used[id])
			}
		}
	}
}
