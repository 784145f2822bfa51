package order_test

import (
	"context"
	"flag"
	"fmt"
	"testing"
	"time"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/lifetime"
	. "github.com/tflarena/tflarena/lifetime/order"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

var table = flag.Bool("table", false, "print what comes out for each model of the corpus")

// TestCorpus searches the lowest peak of every subgraph of every model and compares the peak
// with package lifetime.
func TestCorpus(t *testing.T) {
	for _, f := range corpus.Accepted(t) {
		m, err := tflite.Open(f.Path)
		if err != nil {
			t.Fatal(err)
		}
		for _, runtime := range []string{"tflm", "litert"} {
			rule, err := rules.Lookup(runtime)
			if err != nil {
				t.Fatal(err)
			}
			v, err := rule.View(m, -1)
			if err != nil {
				t.Fatal(err)
			}
			o := Options{Scopes: rule.Scopes, Keep: lifetime.Keep{
				Inputs: rule.KeepInputs, Outputs: rule.KeepOutputs, Unread: rule.KeepUnread,
			}}
			for i := range v.Graph.Subgraphs {
				leastOf(t, fmt.Sprintf("%s %s %d", f.Name, runtime, i), &v.Graph.Subgraphs[i], o)
			}
		}
	}
}

func leastOf(t *testing.T, name string, s *lifetime.Subgraph, o Options) {
	if Check(s) != nil {
		if s = sorted(s); s == nil {
			t.Errorf("%s: no valid order", name)
			return
		}
		name += " (sorted)"
	}
	start := time.Now()
	r, err := Least(context.Background(), s, o)
	took := time.Since(start)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if straight(s) {
		if peak, own := breadth(s, r.Order, o), breadth(s, given(s), o); peak != r.Peak || own != r.Own {
			t.Errorf("%s: peaks %d and %d, counted %d and %d", name, r.Peak, r.Own, peak, own)
		}
	}
	if r.Peak > r.Own || r.Bound > r.Peak {
		t.Errorf("%s: %d, was %d, at least %d", name, r.Peak, r.Own, r.Bound)
	}
	if *table {
		fmt.Printf("%-70s %5d %10d %10d %10d %-6v %7d %8.1f ms\n", name, len(s.Operators), r.Own, r.Peak, r.Bound, r.Proven, r.States, float64(took.Microseconds())/1000)
	}
}

// straight reports whether no operator calls another subgraph.
func straight(s *lifetime.Subgraph) bool {
	for _, op := range s.Operators {
		if len(op.Calls) > 0 {
			return false
		}
	}
	return true
}
