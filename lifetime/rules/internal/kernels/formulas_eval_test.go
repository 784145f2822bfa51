package kernels

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// TestKernelFormulas evaluates the formulas of docs/kernels.md for every operator of the
// recordings, and compares the results with the code.
func TestKernelFormulas(t *testing.T) {
	for file, model := range recorded {
		for _, kind := range []string{"", "_models"} {
			t.Run(file+kind, func(t *testing.T) { compareFormulas(t, file+kind+".csv", model) })
		}
	}
}

func compareFormulas(t *testing.T, file string, model func(recordedRow) encode.Model) {
	for i, r := range recordings(t, file) {
		m, err := tflite.Parse(encode.Encode(model(r)), file)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range allReleases() {
			if got, want := documented(m, l), scratchOf(m, l.Name()); got != want {
				t.Fatalf("row %d, %s: the document says %s, the code %s: %v", i+2, l.Name(), got, want, r)
			}
		}
	}
}

// releases are all libraries in all releases.
func allReleases() (list []*Library) {
	for _, l := range Libraries {
		list = append(append(list, l), l.Older...)
	}
	return list
}

// pageName returns the document's name of a library's kernel: with the first of the releases
// that have this kernel, or without a release if it equals the newest release's.
func pageName(code schema.BuiltinOperator, l *Library) string {
	for _, versions := range espGenerations {
		name := l.Base() + "@" + oldest(versions)
		if slices.Contains(versions, l.Version) && slices.ContainsFunc(pages, func(p page) bool {
			return p.code == code && slices.Contains(p.builds, name)
		}) {
			return name
		}
	}
	return l.Base()
}

// documented formats the documented requests of a model of one operator.
func documented(m *tflite.Model, l *Library) string {
	var sizes []string
	Each(m, Build{l, ESP}, func(k *Kernel) {
		c := calculator{k.variables()}
		code := m.OperatorCodes[k.op.Code].Builtin
		for _, p := range pages {
			if p.code != code || !slices.Contains(p.builds, pageName(code, l)) {
				continue
			}
			for _, r := range p.requests {
				if n := c.request(r); n >= 0 {
					sizes = append(sizes, fmt.Sprint(n))
				}
			}
		}
	})
	if len(sizes) == 0 {
		return "-"
	}
	return strings.Join(sizes, "+")
}

// nothing means that the request is not made.
const nothing = -1

// variables returns the variables of the formulas.
func (k *Kernel) variables() map[string]int64 {
	data := 0
	if k.Name() == "TRANSPOSE_CONV" {
		data = 2
	}
	g, x, f, y := k.geometry(data), k.input(data), k.input(1), k.output(0)
	v := map[string]int64{
		"N": g.batch, "H": g.in[0], "W": g.in[1], "C": g.inChannels, "h": g.filter[0], "w": g.filter[1], "F": g.depth,
		"O": g.outChannels, "Oh": g.out[0], "Ow": g.out[1], "sy": g.stride[0], "sx": g.stride[1], "dy": g.dilation[0], "dx": g.dilation[1],
		"py": g.padding[0], "px": g.padding[1], "weights_n": Elements(f),
		"in": int64(typeOf(x)), "out": int64(typeOf(y)), "weights": int64(typeOf(f)), "bias": int64(k.inputType(3)),
		"int4": int64(i4), "int8": int64(i8), "int16": int64(i16), "float32": int64(f32),
		"rank": rank(y), "depth": axis(-1)(f), "units": axis(-1)(y), "scales": scalesOf(f),
		"batch": Dim(x, 0), "filters": Dim(f, 0), "dim1": Dim(x, 1), "state": Bytes(k.input(cellState)), "nothing": nothing, "true": 1,
	}
	if v["C"] > 0 {
		v["m"] = v["O"] / v["C"]
	}
	if k.embedded(1) && (k.input(2) == nil || k.embedded(2)) {
		v["constant"] = 1
	} else {
		v["constant"] = 0
	}
	return v
}

// A calculator evaluates expressions; conditions are 1 or 0.
type calculator struct{ variables map[string]int64 }

func (c *calculator) request(r request) int64 {
	for _, w := range r {
		if c.text(w.when) == 1 {
			if w.bytes == "" {
				return nothing
			}
			return c.text(w.bytes)
		}
	}
	return nothing
}

var expressions = map[string]ast.Expr{}

func (c *calculator) text(text string) int64 {
	e, ok := expressions[text]
	if !ok {
		var err error
		if e, err = parser.ParseExpr(text); err != nil {
			panic(fmt.Sprintf("%s: %v", text, err))
		}
		expressions[text] = e
	}
	return c.value(e)
}

func (c *calculator) value(e ast.Expr) int64 {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return c.value(e.X)
	case *ast.BasicLit:
		n, err := strconv.ParseInt(e.Value, 10, 64)
		if err != nil {
			panic(err)
		}
		return n
	case *ast.Ident:
		return c.name(e.Name)
	case *ast.UnaryExpr:
		return 1 - c.value(e.X) // only "!"
	case *ast.CallExpr:
		return c.call(e.Fun.(*ast.Ident).Name, e.Args)
	case *ast.BinaryExpr:
		return c.binary(e)
	}
	panic(fmt.Sprintf("%T in a formula", e))
}

func (c *calculator) name(name string) int64 {
	if n, ok := c.variables[name]; ok {
		return n
	}
	for _, w := range words {
		if w.name == name {
			return c.text(w.means)
		}
	}
	panic("a formula has no " + name)
}

func (c *calculator) call(name string, args []ast.Expr) int64 {
	switch name {
	case "up":
		return integer.RoundUp(c.value(args[0]), c.value(args[1]))
	case "max":
		return max(c.value(args[0]), c.value(args[1]))
	case "min":
		return min(c.value(args[0]), c.value(args[1]))
	case "pick":
		if c.value(args[0]) == 1 {
			return c.value(args[1])
		}
		return c.value(args[2])
	case "convolution": // the scratch of CONV_2D for the given number of filter channels
		inner := calculator{map[string]int64{}}
		for name, n := range c.variables {
			inner.variables[name] = n
		}
		inner.variables["F"] = c.value(args[0])
		for _, p := range pages {
			if p.code.String() == "CONV_2D" && slices.Contains(p.builds, "cmsis-nn-mve") {
				return max(inner.request(p.requests[0]), 0)
			}
		}
	}
	panic("a formula has no function " + name)
}

func (c *calculator) binary(e *ast.BinaryExpr) int64 {
	x := c.value(e.X)
	switch e.Op { // evaluated lazily: a filter may be missing
	case token.LAND:
		if x == 0 {
			return 0
		}
		return c.value(e.Y)
	case token.LOR:
		if x == 1 {
			return 1
		}
		return c.value(e.Y)
	}
	y := c.value(e.Y)
	truth := func(holds bool) int64 {
		if holds {
			return 1
		}
		return 0
	}
	switch e.Op {
	case token.ADD:
		return x + y
	case token.SUB:
		return x - y
	case token.MUL:
		return x * y
	case token.QUO:
		return x / y
	case token.REM:
		return x % y
	case token.EQL:
		return truth(x == y)
	case token.NEQ:
		return truth(x != y)
	case token.LSS:
		return truth(x < y)
	case token.LEQ:
		return truth(x <= y)
	case token.GTR:
		return truth(x > y)
	case token.GEQ:
		return truth(x >= y)
	}
	panic("a formula has " + e.Op.String())
}
