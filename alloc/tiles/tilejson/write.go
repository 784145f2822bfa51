package tilejson

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// An Op is the range of steps of an operator or a cascade. Files have it for information.
type Op struct {
	// Operators and Steps are first and last indexes, both inclusive.
	Operators [2]int `json:"operators"`
	Steps     [2]int `json:"steps"`
	Tile      string `json:"tile"`
	Extent    int64  `json:"extent"`
}

// Write returns a file with one case, one line for each tensor. last is the last step. The file has
// one alignment, the largest of the tensors.
func (c Case) Write(last int, ops []Op) []byte {
	var b bytes.Buffer
	align := int64(1)
	for _, t := range c.Tensors {
		align = max(align, t.Align)
	}
	fmt.Fprintf(&b, `{"unit":"byte","alignment":%d,"cases":[`+"\n"+`{"name":%s,"steps":%d,"ops":%s,"tensors":[`, align, value(c.Name), last, value(ops))
	for i, t := range c.Tensors {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "\n"+`{"name":%s,"size":%d,`, value(t.Name), t.Size)
		if t.Whole != nil {
			fmt.Fprintf(&b, `"whole":[%d,%d],`, t.Whole.First, t.Whole.Last)
		}
		b.WriteString(`"accesses":[`)
		for k, a := range t.Accesses {
			if k > 0 {
				b.WriteByte(',')
			}
			kind := "r"
			if a.Write {
				kind = "w"
			}
			fmt.Fprintf(&b, `[%d,%q,%d,%d]`, a.Step, kind, a.Lo, a.Hi)
		}
		b.WriteString("]}")
	}
	b.WriteString("\n]}\n]}\n")
	return b.Bytes()
}

// value encodes a string or a list as JSON.
func value(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // texts and numbers can always be written
	}
	return bytes.TrimSpace(b.Bytes())
}
