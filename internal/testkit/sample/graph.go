package sample

import (
	"crypto/sha256"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// options are the options tables that are compared field by field; others are compared with their
// layout.
var options = map[schema.BuiltinOptions]func(t flatbuffers.Table) any{
	schema.BuiltinOptionsConv2DOptions: func(t flatbuffers.Table) any {
		o := &schema.Conv2DOptions{}
		o.Init(t.Bytes, t.Pos)
		return o
	},
	schema.BuiltinOptionsDepthwiseConv2DOptions: func(t flatbuffers.Table) any {
		o := &schema.DepthwiseConv2DOptions{}
		o.Init(t.Bytes, t.Pos)
		return o
	},
	schema.BuiltinOptionsPool2DOptions: func(t flatbuffers.Table) any {
		o := &schema.Pool2DOptions{}
		o.Init(t.Bytes, t.Pos)
		return o
	},
}

var (
	// elsewhere matches the content that says where something lies, or that a rewriter may leave out.
	elsewhere = regexp.MustCompile(`\.(Tensors\[[0-9]+\]\.(Buffer|ShapeSignature)|Operators\[[0-9]+\]\.BuiltinOptions(Type)?) = `)
	subgraph  = regexp.MustCompile(`^model\.(Subgraphs|SignatureDefs)`)
)

// GraphOf lists the graph of a model: its tensors with their data, its operators with their options,
// its inputs and outputs. Options without fields and signatures of shapes are not listed.
func GraphOf(m *tflite.Model) (lines []string) {
	for _, line := range ContentOf(m, 0, 0, nil) {
		if subgraph.MatchString(line) && !elsewhere.MatchString(line) {
			lines = append(lines, line)
		}
	}
	for s := range m.Subgraphs {
		sub := &m.Subgraphs[s]
		for i := range sub.Tensors {
			t := &sub.Tensors[i]
			lines = append(lines, fmt.Sprintf("data of %d:%d = %v %x", s, i, t.Constant, sha256.Sum256(m.Buffer(t).Data)))
		}
		for i := range sub.Operators {
			lines = append(lines, optionsOf(fmt.Sprintf("options of %d:%d", s, i), &sub.Operators[i])...)
		}
	}
	return lines
}

func optionsOf(path string, o *tflite.Operator) []string {
	c := &content{}
	table, t := o.Table(), flatbuffers.Table{}
	if o.Damaged || !table.BuiltinOptions(&t) || strings.HasPrefix(o.Name, "PAD") {
		return nil
	}
	if typed := options[table.BuiltinOptionsType()]; typed != nil {
		c.table(path, reflect.ValueOf(typed(t)))
	} else {
		c.union(path, reflect.ValueOf(table.BuiltinOptions))
	}
	return c.lines
}
