package sample

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"reflect"
	"strings"

	flatbuffers "github.com/google/flatbuffers/go"
	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// content lists everything the accessors of package schema find in a file, one item a line,
// without plans, markers and file positions. It shares no code with the rewriter or its audit.
type content struct {
	lines []string
	shift uint64
	size  uint64
	// damaged marks operators whose options are unverified.
	damaged map[string]bool
	// buffers is the number of buffers listed; skip marks omitted ones.
	buffers int
	skip    map[int]bool
}

// ContentOf lists the content of a file as if it had moved back by shift bytes.
func ContentOf(m *tflite.Model, shift int64, buffers int, skip map[int]bool) []string {
	c := &content{shift: uint64(shift), size: uint64(len(m.Data)), buffers: buffers, skip: skip, damaged: map[string]bool{}}
	for i, s := range m.Subgraphs {
		for j, op := range s.Operators {
			c.damaged[fmt.Sprintf("model.Subgraphs[%d].Operators[%d]", i, j)] = op.Damaged
		}
	}
	c.add("identifier", m.Identified)
	c.table("model", reflect.ValueOf(schema.GetRootAsModel(m.Data, 0)))
	return c.lines
}

func (c *content) add(path string, value any) {
	c.lines = append(c.lines, fmt.Sprintf("%s = %v", path, value))
}

func (c *content) table(path string, v reflect.Value) {
	for i := range v.NumMethod() {
		name := v.Type().Method(i).Name
		if name == "Init" || name == "Table" || strings.HasPrefix(name, "Mutate") || c.partOf(v, name) {
			continue
		}
		c.field(path+"."+name, v, name)
	}
}

// partOf reports whether a method is only an accessor helper of another field.
func (c *content) partOf(v reflect.Value, name string) bool {
	for _, suffix := range []string{"Length", "Bytes"} {
		if base, ok := strings.CutSuffix(name, suffix); ok && v.MethodByName(base).IsValid() {
			return true
		}
	}
	return false
}

func (c *content) field(path string, v reflect.Value, name string) {
	method := v.MethodByName(name)
	in := make([]reflect.Type, method.Type().NumIn())
	for i := range in {
		in[i] = method.Type().In(i)
	}
	switch {
	case len(in) == 0:
		c.scalar(path, name, method.Call(nil)[0].Interface())
	case in[0].Kind() == reflect.Int:
		c.vector(path, v, name, method)
	case in[0] == reflect.TypeFor[*flatbuffers.Table]():
		if kind := fmt.Sprint(v.MethodByName(name + "Type").Call(nil)[0]); known(kind) && !c.damaged[strings.TrimSuffix(path, "."+name)] {
			c.union(path, method)
		}
	case len(in) == 2:
		c.tables(path, v, name, method, in[0].Elem())
	default:
		if out := method.Call([]reflect.Value{reflect.New(in[0].Elem())})[0]; !out.IsNil() {
			c.table(path, out)
		}
	}
}

func (c *content) scalar(path, name string, value any) {
	switch x := value.(type) {
	case []byte:
		c.add(path, fmt.Sprintf("%v %q", x == nil, x))
	case uint64:
		absolute := name == "LargeCustomOptionsOffset" || name == "Offset" && strings.Contains(path, ".Buffers[")
		if absolute && x > 1 && x <= c.size {
			x += c.shift
		}
		c.add(path, x)
	default:
		c.add(path, x)
	}
}

func (c *content) vector(path string, v reflect.Value, name string, method reflect.Value) {
	if b := v.MethodByName(name + "Bytes"); b.IsValid() {
		data := b.Call(nil)[0].Bytes()
		c.add(path, fmt.Sprintf("%v %d %x", data == nil, len(data), sha256.Sum256(data)))
		return
	}
	n := v.MethodByName(name + "Length").Call(nil)[0].Int()
	var values []any
	for i := range n {
		values = append(values, method.Call([]reflect.Value{reflect.ValueOf(int(i))})[0].Interface())
	}
	c.add(path, values)
}

// known reports whether a union's type name names a table; otherwise its reference is
// unverified.
func known(kind string) bool { return kind != "NONE" && !strings.Contains(kind, "(") }

// union compares the fields of the table itself, which are numbers and distances. It reads four
// bytes a field, the most common size; the table's own size may be false in a hostile file and
// cover anything.
func (c *content) union(path string, method reflect.Value) {
	var t flatbuffers.Table
	if !present(method, &t) {
		return
	}
	if int64(t.Pos)+4 > int64(len(t.Bytes)) {
		return // damaged, unverified options
	}
	vtable := int64(t.Pos) - int64(int32(binary.LittleEndian.Uint32(t.Bytes[t.Pos:])))
	if vtable < 0 || vtable+4 > int64(len(t.Bytes)) {
		return
	}
	end := min(int64(t.Pos)+int64(binary.LittleEndian.Uint16(t.Bytes[vtable+2:])), int64(len(t.Bytes)))
	fields := min(int64(binary.LittleEndian.Uint16(t.Bytes[vtable:])), int64(len(t.Bytes))-vtable)
	var list []string
	for at := int64(4); at+2 <= fields; at += 2 {
		off := int64(binary.LittleEndian.Uint16(t.Bytes[vtable+at:]))
		if from := int64(t.Pos) + off; off >= 4 && from < end { // an offset outside the table is damage too
			list = append(list, fmt.Sprintf("%d: %x", at/2-2, t.Bytes[from:min(from+4, end)]))
		}
	}
	c.add(path, list)
}

// present calls a union accessor. Damaged, unverified options may lie anywhere, and the
// accessor panics on some: these count as absent.
func present(method reflect.Value, t *flatbuffers.Table) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	return method.Call([]reflect.Value{reflect.ValueOf(t)})[0].Bool()
}

func (c *content) tables(path string, v reflect.Value, name string, method reflect.Value, element reflect.Type) {
	n := int(v.MethodByName(name + "Length").Call(nil)[0].Int())
	if path == "model.Buffers" {
		n = min(n, c.buffers)
	}
	kept := 0
	for i := range n {
		x := reflect.New(element)
		method.Call([]reflect.Value{x, reflect.ValueOf(i)})
		if md, ok := x.Interface().(*schema.Metadata); ok && ours(string(md.Name())) {
			continue
		}
		if path != "model.Buffers" || !c.skip[i] {
			c.table(fmt.Sprintf("%s[%d]", path, kept), x)
		}
		kept++
	}
	c.add(path, kept)
}

// SameContent fails if a and b differ, apart from plans, markers and additions for them. The
// bytes of b have moved back by shift from those of a.
func SameContent(t TB, a, b *tflite.Model, shift int64) {
	t.Helper()
	skip := map[int]bool{}
	for _, m := range []*tflite.Model{a, b} {
		for _, md := range m.Metadata {
			if ours(md.Name) {
				skip[md.Buffer] = true
			}
		}
	}
	n := min(len(a.Buffers), len(b.Buffers))
	x, y := ContentOf(a, shift, n, skip), ContentOf(b, 0, n, skip)
	if diff := cmp.Diff(x, y); diff != "" {
		t.Fatalf("content differs (-old +new):\n%s", diff)
	}
}
