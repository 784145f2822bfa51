package alloc

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/tflarena/tflarena/lifetime"
)

// program returns blocks that a program takes and gives back at random. The exact search finds
// little in so many; the searches that are bounded in work find more.
func program(blocks int) (records Records) {
	random := rand.New(rand.NewPCG(1, 1))
	var alive []int
	for now := 0; len(records) < blocks; now++ {
		if len(alive) > 0 && random.Float64() < 0.48 {
			k := random.IntN(len(alive))
			records[alive[k]].Last = now
			alive[k] = alive[len(alive)-1]
			alive = alive[:len(alive)-1]
			continue
		}
		alive = append(alive, len(records))
		records = append(records, lifetime.Record{First: now, Last: now, Size: 512 * (1 + random.Int64N(2000))})
	}
	for _, i := range alive {
		records[i].Last = records[len(records)-1].First
	}
	return records
}

// TestLongerLimit: a search that has until a deadline does what one without a limit does before it
// uses the rest of its time.
func TestLongerLimit(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	searched := ""
	_, err := Solve(ctx, program(3000), Options{Approach: Offsets, Workers: 1, SearchTime: time.Minute, Progress: func(now Progress) {
		if now.Strategy == "strip-packing-search" || now.Strategy == "hill-climb" {
			searched = now.Strategy
			cancel()
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if searched == "" {
		t.Error("the searches that are bounded in work had no turn in a minute")
	}
}

// Where the exact search gives a problem up as too large, a limit above the default is used by other
// searches, and the plan is never larger.
func TestAutoUsesItsTime(t *testing.T) {
	var records Records
	for i := range 5000 {
		records = append(records, lifetime.Record{First: i, Last: i + 5 + i*7919%60, Size: int64(512 * (1 + i*104_729%97))})
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	end := time.Now().Add(time.Hour)
	p := newTask(records, Options{Approach: Offsets, SearchTime: time.Hour, Progress: func(Progress) { cancel() }})
	start := &Plan{Approach: Offsets, Total: 1 << 60}
	best, err := p.searchUntil(ctx, start, end)
	if err != nil || best.Total >= start.Total || best.check(records) != nil || !best.Optimal && !best.Interrupted {
		t.Errorf("a plan of %d bytes, interrupted: %v, %v", best.Total, best.Interrupted, err)
	}
}
