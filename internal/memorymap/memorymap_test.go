package memorymap

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"golang.org/x/exp/slices"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/lifetime"
)

// roles returns the constants of lifetime.Role.
func roles(t *testing.T) (list []lifetime.Role) {
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", "..", "lifetime", "role.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok {
			text, err := strconv.Unquote(literal.Value)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, lifetime.Role(text))
		}
		return true
	})
	return list
}

// TestStyles: every role has a style that each painter can show, and no other style exists.
func TestStyles(t *testing.T) {
	all := roles(t)
	if len(all) != len(Styles) {
		t.Errorf("%d roles, %d styles", len(all), len(Styles))
	}
	colour := regexp.MustCompile(`^#[0-9a-f]{6}$`)
	for _, role := range all {
		s := StyleOf(role)
		if s.Words == "" || s.Signs == "" || len(s.Terminal) == 0 || len(s.Light) == 0 || len(s.Light) != len(s.Dark) {
			t.Errorf("%s: %+v", role, s)
		}
		for _, c := range append(slices.Clone(s.Light), s.Dark...) {
			if !colour.MatchString(c) {
				t.Errorf("%s: colour %q", role, c)
			}
		}
	}
}

// TestPageStyles compares the styles of the page with these; -update writes them.
func TestPageStyles(t *testing.T) {
	golden.JSON(t, filepath.Join("..", "..", "site", "src", "roles.json"), append(slices.Clone(Styles), Requester, Shared))
}

// TestOverlaps compares the overlaps of random maps with those of all pairs, byte by byte.
func TestOverlaps(t *testing.T) {
	type cell struct {
		position int
		address  int64
	}
	rapid.Check(t, func(t *rapid.T) {
		var m Map
		for range rapid.IntRange(0, 6).Draw(t, "records") {
			first := rapid.IntRange(-3, 6).Draw(t, "first")
			m.Records = append(m.Records, lifetime.Record{First: first, Last: first + rapid.IntRange(0, 5).Draw(t, "length"), Size: rapid.Int64Range(0, 5).Draw(t, "size")})
			m.Offsets = append(m.Offsets, rapid.Int64Range(0, 6).Draw(t, "offset"))
		}
		holders, shared := map[cell]int{}, map[cell]bool{}
		for i, r := range m.Records {
			for p := r.First; p <= r.Last; p++ {
				for a := m.Offsets[i]; a < m.Offsets[i]+r.Size; a++ {
					holders[cell{p, a}]++
				}
			}
		}
		s := m.Span()
		for _, a := range m.Overlaps(s) {
			for p := s.First + int(a.From); p < s.First+int(a.To); p++ {
				for at := a.Lo; at < a.Hi; at++ {
					shared[cell{p, at}] = true
				}
			}
		}
		for c, n := range holders {
			if shared[c] != (n > 1) {
				t.Fatalf("%+v is held by %d records, shared: %t", c, n, shared[c])
			}
		}
		for c := range shared {
			if holders[c] < 2 {
				t.Fatalf("%+v is not shared", c)
			}
		}
	})
}
