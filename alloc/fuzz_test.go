package alloc

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/tflarena/tflarena/alloc/check"
	"github.com/tflarena/tflarena/lifetime"
)

// decode makes a problem of any bytes: five for each record.
func decode(data []byte) Records {
	var records Records
	for ; len(data) >= 5 && len(records) < 60; data = data[5:] {
		first := int(int8(data[0]))
		r := lifetime.Record{First: first, Last: first + int(data[1])%16, Size: int64(data[2]), Align: int64(data[3] % 9)}
		if data[4]%8 == 0 {
			r.Pinned, r.Offset = true, r.Alignment()*int64(data[4]/8)
		}
		records = append(records, r)
	}
	return records
}

// FuzzSolve wants from every strategy a plan that the checker passes, for every
// problem that does not contradict itself.
func FuzzSolve(f *testing.F) {
	f.Add([]byte{0, 1, 16, 0, 1, 1, 1, 8, 0, 1, 2, 1, 64, 0, 1, 3, 1, 32, 0, 1, 4, 1, 8, 0, 1})
	f.Add([]byte{0, 9, 30, 8, 8, 0, 1, 10, 4, 1, 250, 15, 20, 3, 1, 1, 0, 255, 0, 16, 1, 1, 0, 0, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		records := decode(data)
		for _, approach := range []Approach{Offsets, Shared} {
			for _, s := range Strategies(approach) {
				plan, err := Solve(context.Background(), records, Options{Approach: approach, Strategy: s.Name, SearchTime: 20 * time.Millisecond})
				if v := (*check.Violation)(nil); err != nil {
					contradiction := errors.As(err, &v) && v.Other >= 0 && records[v.Record].Pinned && records[v.Other].Pinned
					if !contradiction && !errors.Is(err, ErrPinnedShared) {
						t.Fatalf("%s %s: %v", approach, s.Name, err)
					}
					continue
				}
				if plan.Total < plan.LowerBound {
					t.Fatalf("%s %s: %d bytes, below the bound of %d", approach, s.Name, plan.Total, plan.LowerBound)
				}
			}
		}
	})
}
