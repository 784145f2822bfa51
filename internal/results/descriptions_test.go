package results

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/exp/slices"
)

// descriptions holds the comments on the fields of the printed types, which are the only
// description of JSON: schemas and tables are made from them.
//
// A field without a comment has the description of the other fields of the same name in JSON: one
// name means one thing in all commands. Fields of one name may have different comments, but then
// each of them needs its own. Fields that are always present are told from those that may be
// absent.
type descriptions struct {
	t        *testing.T
	packages map[string]*source // by path
	shared   map[meaning][]string
}

// meaning identifies the fields that share a description.
type meaning struct {
	name     string
	optional bool
}

// describe returns the descriptions of all types that documents of these types contain.
func describe(t *testing.T, documents []reflect.Type) *descriptions {
	d := &descriptions{t: t, packages: map[string]*source{}, shared: map[meaning][]string{}}
	for _, s := range structs(documents) {
		for _, f := range fieldsOf(s) {
			text := d.comment(f)
			if known := d.shared[f.meaning]; text != "" && !slices.Contains(known, text) {
				d.shared[f.meaning] = append(known, text)
			}
		}
	}
	return d
}

// comment returns the comment on the field itself, or "".
func (d *descriptions) comment(f jsonField) string {
	owner, _, _ := strings.Cut(f.owner.Name(), "[") // type arguments
	return d.source(f.owner).comments[owner+"."+f.goName]
}

// of returns the description of a field.
func (d *descriptions) of(f jsonField) (string, error) {
	text := d.comment(f)
	if shared := d.shared[f.meaning]; text == "" && len(shared) == 1 {
		text = shared[0]
	}
	absent := strings.Contains(text, "Absent ")
	switch {
	case text == "":
		return "", fmt.Errorf("%s needs a comment; other fields named %s have these: %q", f, f.name, d.shared[f.meaning])
	case !strings.HasSuffix(text, "."):
		return "", fmt.Errorf("%s: the comment is no sentence: %q", f, text)
	case absent != f.optional:
		return "", fmt.Errorf(`%s: the comment has to say "Absent ..." exactly if the field may be absent: %q`, f, text)
	}
	return text, nil
}

// choices returns the values that a string field can have, nil for any: the constants of its type.
func (d *descriptions) choices(f jsonField, t reflect.Type) []string {
	for _, name := range []string{f.owner.Name() + "." + f.name, f.name} {
		if list := knownValues[name]; list != nil {
			return list
		}
	}
	if t.PkgPath() == "" {
		return nil
	}
	return d.source(t).constants[t.Name()]
}

// table returns the fields of a struct as a table in Markdown.
func (d *descriptions) table(of reflect.Type) string {
	d.t.Helper()
	var b strings.Builder
	b.WriteString("| field | |\n|---|---|\n")
	for _, f := range fieldsOf(of) {
		text, err := d.of(f)
		if err != nil {
			d.t.Error(err)
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", f.name, text)
	}
	return b.String()
}

// A jsonField is a field of a struct as JSON has it.
type jsonField struct {
	meaning
	owner  reflect.Type // which declares the field, perhaps embedded in another
	goName string
	kind   reflect.Type
}

func (f jsonField) String() string { return f.owner.Name() + "." + f.goName }

// fieldsOf returns the fields of a struct and of those that it embeds.
func fieldsOf(t reflect.Type) (list []jsonField) {
	for i := range t.NumField() {
		field := t.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case field.Anonymous:
			list = append(list, fieldsOf(field.Type)...)
		case name != "" && name != "-":
			list = append(list, jsonField{meaning{name, options != ""}, t, field.Name, field.Type})
		}
	}
	return list
}

// structs returns the structs that values of some types may contain, with these types.
func structs(types []reflect.Type) (list []reflect.Type) {
	seen := map[reflect.Type]bool{}
	var visit func(t reflect.Type)
	visit = func(t reflect.Type) {
		for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
			t = t.Elem()
		}
		if t.Kind() != reflect.Struct || seen[t] {
			return
		}
		seen[t] = true
		list = append(list, t)
		for _, f := range fieldsOf(t) {
			visit(f.owner)
			visit(f.kind)
		}
	}
	for _, t := range types {
		visit(t)
	}
	return list
}

// A source is what the source text of a package says of its types.
type source struct {
	comments  map[string]string   // of fields, by "TYPE.FIELD"
	constants map[string][]string // texts, by the name of their type
}

// source returns the source of a type's package.
func (d *descriptions) source(of reflect.Type) *source {
	d.t.Helper()
	path := of.PkgPath()
	if known := d.packages[path]; known != nil {
		return known
	}
	s := &source{map[string]string{}, map[string][]string{}}
	d.packages[path] = s
	names, err := filepath.Glob(filepath.Join("..", "..", strings.TrimPrefix(path, "github.com/tflarena/tflarena/"), "*.go"))
	if err != nil || len(names) == 0 {
		d.t.Fatalf("no source of %s: %v", path, err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			d.t.Fatal(err)
		}
		for _, decl := range f.Decls {
			if g, ok := decl.(*ast.GenDecl); ok {
				for _, spec := range g.Specs {
					s.add(spec)
				}
			}
		}
	}
	return s
}

// add adds the fields of a struct, or the values of constants.
func (s *source) add(spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		if of, ok := spec.Type.(*ast.StructType); ok {
			for _, field := range of.Fields.List {
				for _, name := range field.Names {
					s.comments[spec.Name.Name+"."+name.Name] = strings.Join(strings.Fields(field.Doc.Text()), " ")
				}
			}
		}
	case *ast.ValueSpec:
		of, _ := spec.Type.(*ast.Ident)
		for _, value := range spec.Values {
			if text, ok := value.(*ast.BasicLit); ok && of != nil && text.Kind == token.STRING {
				s.constants[of.Name] = append(s.constants[of.Name], strings.Trim(text.Value, `"`))
			}
		}
	}
}
