package pickle

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// plain returns a value in a form of our own, the same as testdata/draw.py writes: a circle is "...".
func plain(t *Tree, v Value, above []Value) string {
	for _, a := range above {
		if a == v && v.isContainer() {
			return "..."
		}
	}
	above = append(above, v)
	items := func(list []Value) string {
		var parts []string
		for _, item := range list {
			parts = append(parts, plain(t, item, above))
		}
		return strings.Join(parts, ",")
	}
	switch v.Kind() {
	case None:
		return "None"
	case Bool:
		return map[int]string{0: "False", 1: "True"}[v.payload()]
	case Int:
		n, _ := t.Int(v)
		return fmt.Sprint(n)
	case Large:
		return "large"
	case Float:
		x, _ := t.Float(v)
		return fmt.Sprintf("f%.17g", x)
	case Text:
		return fmt.Sprintf("t%x", t.Text(v))
	case Bytes:
		return fmt.Sprintf("b%x", t.Text(v))
	case List:
		return "[" + items(t.Items(v)) + "]"
	case Tuple:
		return "(" + items(t.Items(v)) + ")"
	case Set:
		return fmt.Sprintf("set%d", t.Len(v))
	case Dict:
		return "{" + items(t.Pairs(v)) + "}"
	}
	return v.Kind().String()
}

func TestDecode(t *testing.T) {
	for _, c := range []struct{ name, data, want string }{
		{"protocol 0", "(lp0\nI1\naL2L\naI01\naF1.5\naS'a\\x41\\n'\np1\nag1\na.", "[1,2,True,f1.5,t61410a,t61410a]"},
		{"protocol 0 dict", "(dp0\nVk\\u00e9\np1\nNs.", "{t6bc3a9,None}"},
		{"protocol 1", "}q\x00(U\x01aK\x01X\x01\x00\x00\x00bM\x01\x02u.", "{t61,1,t62,513}"},
		{"protocol 4", "\x80\x04\x95\x05\x00\x00\x00\x00\x00\x00\x00]\x94(K\x05\x88\x89e.", "[5,True,False]"},
		{"frozenset, set, bytearray", "\x80\x05(K\x01\x91\x8f(K\x01K\x02\x90\x96\x01\x00\x00\x00\x00\x00\x00\x00z\x87.", "(set1,set2,b7a)"},
		{"a circle", "]q\x00h\x00a.", "[...]"},
		{"long", "\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f.", "9223372036854775807"},
		{"negative long", "\x8a\x01\xff.", "-1"},
		{"empty long", "\x8a\x00.", "0"},
		{"nine bytes", "\x8a\x09\x00\x00\x00\x00\x00\x00\x00\x00\x01.", "large"},
		{"pop and dup", "K\x01(K\x02K\x0310K\x0420\x85.", "(4)"},
		{"list and dict of marks", "((K\x01lK\x02K\x03d.", "{}"},
	} {
		tree, err := Decode([]byte(c.data), nil)
		if c.name == "list and dict of marks" {
			if err == nil {
				t.Error("a list became a key")
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := plain(tree, tree.Root, nil); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestRefused(t *testing.T) {
	for op, what := range refused {
		_, err := Decode([]byte("K\x01"+string([]byte{op})+"x\ny\n."), nil)
		var wrong *Error
		if !errors.As(err, &wrong) || wrong.Offset != 2 || !strings.Contains(wrong.Problem, what) || !errors.Is(err, ErrInvalid) {
			t.Errorf("opcode %#x: %v", op, err)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		data string
		at   int64
		want string
	}{
		{"", 0, "cut off"},
		{"]", 1, "cut off"},
		{".", 0, "nothing on the stack"},
		{"(.", 1, "nothing on the stack"},
		{"K", 0, "cut off"},
		{"X\xff\xff\xff\xff", 0, "cut off"},
		{"T\xff\xff\xff\xff.", 0, "below zero"},
		{"h\x00.", 0, "nothing at index 0"},
		{"]N\x86a.", 3, "nothing on the stack"},
		{"K\x01K\x02a.", 4, "this is an integer"},
		{"}(Nu.", 3, "no value"},
		{"}(]Nu.", 4, "cannot be a key"},
		{"e.", 0, "no mark"},
		{"\x80\x06.", 0, "protocol 6"},
		{"\x95\xff\x00\x00\x00\x00\x00\x00\x00.", 0, "frame of 255"},
		{"Ix\n.", 0, "not an integer"},
		{"F_\n.", 0, "not a float"},
		{"Sx\n.", 0, "quotes"},
		{"g-1\n.", 0, "index"},
		{"\x85.", 0, "fewer than 1"},
		{"V", 0, "no end"},
		{"~", 0, "not an opcode"},
	} {
		_, err := Decode([]byte(c.data), nil)
		var wrong *Error
		if !errors.As(err, &wrong) || wrong.Offset != c.at || !strings.Contains(wrong.Problem, c.want) {
			t.Errorf("%q: %v, want byte %d: %s", c.data, err, c.at, c.want)
		}
	}
}

// TestMemory has pickles that are made to need far more memory than they have bytes.
func TestMemory(t *testing.T) {
	for _, part := range []string{"]", "]\x94", "(", "N", "2", "]q\x00", "r\x00\x00\x01\x00]r\xff\xff\xff\x00", "\x85", "}\x94", "K\x01\x8f\x94", "K\x01\x86\x85"} {
		data := []byte("N" + strings.Repeat(part, 1<<20/len(part)))
		m := &machine{data: data, tree: &Tree{data: data}, limit: memoryFactor * int64(len(data))}
		_ = m.run()
		if used := m.memory(); used > 16*int64(len(data)) {
			t.Errorf("%q again and again takes %d bytes for %d", part, used, len(data))
		}
	}
}

func TestLooks(t *testing.T) {
	for data, want := range map[string]bool{"\x80\x02}": true, "(dp0\n": true, "}q\x00": true, "id,lower": false, "{\"event\"": false, "": false, "\x80\x09": false} {
		if Looks([]byte(data)) != want {
			t.Errorf("%q: %v", data, !want)
		}
	}
}
