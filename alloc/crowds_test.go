package alloc

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/testkit/reference"
	"github.com/tflarena/tflarena/lifetime"
)

// crowds returns problems of n records unlike any network: many alive at once, as
// many stages as records, ties between most objects.
func crowds(n int) map[string]Records {
	random := rand.New(rand.NewPCG(3, uint64(n)))
	crowds := map[string]Records{}
	add := func(name string, record func(i int) lifetime.Record) {
		for i := range n {
			crowds[name] = append(crowds[name], record(i))
		}
	}
	gap := func(i int) lifetime.Record {
		return lifetime.Record{First: i, Last: n + random.IntN(n), Size: 1 + random.Int64N(40), Align: []int64{1, 3, 64}[random.IntN(3)]}
	}
	add("gaps", gap)
	add("gaps and strays", func(i int) lifetime.Record {
		r := gap(i)
		if i%8 == 0 {
			r.First = random.IntN(2 * n)
			r.Last = r.First + random.IntN(20)
		}
		return r
	})
	add("comb", func(i int) lifetime.Record {
		return lifetime.Record{Last: i % 2 * (n - 1), Size: int64(i + 1)}
	})
	add("stair", func(i int) lifetime.Record {
		return lifetime.Record{First: i, Last: i + n/3, Size: int64(2*n - i)}
	})
	add("teeth", func(i int) lifetime.Record { // those at 2 tie all idle objects
		if i%2 == 0 {
			return lifetime.Record{Size: int64(2 * (n - i))}
		}
		return lifetime.Record{First: 2 - i%3, Last: 2, Size: int64(2*n - 3*i/2)}
	})
	return crowds
}

// TestManyRecordsMatchDefinitions goes where drawn problems are too small to go:
// objects with hundreds of uses, skylines with hundreds of lines.
func TestManyRecordsMatchDefinitions(t *testing.T) {
	many, layers := 150, 200
	if *problems >= 10_000 { // the definitions take cubic time
		many, layers = 300, 700
	}
	problems := crowds(many)
	problems["network"] = network(layers)
	for problem, records := range problems {
		t.Run(problem, func(t *testing.T) { matchDefinitions(t, records) })
	}
}

func matchDefinitions(t *testing.T, records Records) {
	for name, define := range reference.Shared {
		records := records
		if name == "min-cost-flow" {
			records = records[:100] // its definition takes cubic time
		}
		want, plan := define(records), solve(t, records, Shared, name)
		if diff := cmp.Diff(want.Of, plan.Objects); diff != "" {
			t.Errorf("shared %s: definition - strategy +:\n%s", name, diff)
		}
	}
	for name, define := range reference.Offsets {
		records := records
		if name == stripOrdersName {
			records = records[:150] // its definition looks at all records for each piece of the skyline
		}
		if diff := cmp.Diff(define(records), solve(t, records, Offsets, name).Offsets); diff != "" {
			t.Errorf("offsets %s: definition - strategy +:\n%s", name, diff)
		}
	}
}
