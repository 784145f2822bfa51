package scratch

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

func model() *tflite.Model {
	return &tflite.Model{Subgraphs: []tflite.Subgraph{
		{Operators: make([]tflite.Operator, 3)}, {Operators: make([]tflite.Operator, 1)},
	}}
}

// Requests come in the order in which the runtime prepares operators, those of one
// operator in the order of their rows.
func TestParse(t *testing.T) {
	for text, want := range map[string][]rules.Request{
		"subgraph,operator,bytes\n":                                 {},
		"subgraph,operator,bytes\n1,0,5\n0,2,7\n0,1,9\n0,1,8\n":     {{Operator: 1, Bytes: 9}, {Operator: 1, Bytes: 8}, {Operator: 2, Bytes: 7}, {Subgraph: 1, Bytes: 5}},
		"\xef\xbb\xbfBytes, name,Operator,SUBGRAPH\r\n6,x, 2,0\r\n": {{Operator: 2, Bytes: 6}},
		"subgraph,operator,bytes\n0,0,0\n0,0,1099511627776":         {{}, {Bytes: 1 << 40}},
	} {
		got, err := Parse([]byte(text), model())
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: %s", text, diff)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	const head = "subgraph,operator,bytes\n"
	for text, want := range map[string]string{
		"":                                   "the file is empty",
		"subgraph,operator\n":                `no column "bytes"`,
		head + "0,0\n":                       "wrong number of fields",
		head + "0,0,-1\n":                    `line 2: bytes "-1" is not a whole number`,
		head + "0,0,1\n0,x,1\n":              `line 3: operator "x" is not`,
		head + "0,0,1099511627777\n":         "from 0 to 2^40",
		head + "0,0,99999999999999999999\n":  "from 0 to 2^40",
		head + "2,0,1\n":                     "there is no subgraph 2: the model has 2",
		head + "1,1,1\n":                     "there is no operator 1 in subgraph 1: it has 1",
		head + strings.Repeat("0,1,4\n", 13): "line 14: operator 0:1 has more than 12 requests",
		head + "0,0,\"1\n":                   "quote",
	} {
		_, err := Parse([]byte(text), model())
		if !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("subgraph,operator,bytes\n1,0,5\n0,2,7\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := Parse(data, model())
		if err != nil {
			if !errors.Is(err, ErrInvalid) {
				t.Fatal(err)
			}
			return
		}
		for i, q := range list {
			if q.Bytes < 0 || q.Operator >= len(model().Subgraphs[q.Subgraph].Operators) {
				t.Fatalf("request %+v", q)
			}
			if i > 0 && (list[i-1].Subgraph > q.Subgraph || list[i-1].Subgraph == q.Subgraph && list[i-1].Operator > q.Operator) {
				t.Fatalf("%+v is not in order", list)
			}
		}
	})
}
