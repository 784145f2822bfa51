package texture

import (
	"context"
	"testing"
)

// FuzzSolve makes a problem of any bytes and wants from every strategy a plan in which all records
// have an object of their own while they are alive, which covers them.
func FuzzSolve(f *testing.F) {
	f.Add([]byte{0, 0, 1, 2, 8, 1, 1, 2, 8, 2, 2, 1, 12, 3, 2, 2, 8})
	f.Add([]byte{1, 0, 3, 1, 2, 8, 1, 0, 4, 3, 2, 0, 0, 0, 1, 255})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 {
			return
		}
		dimensions := 2 + int(data[0]%3)
		var records []Record
		for data = data[1:]; len(data) >= 2+dimensions && len(records) < 12; data = data[2+dimensions:] {
			r := Record{First: int(int8(data[0]))}
			r.Last = r.First + int(data[1]%8)
			for _, d := range data[2 : 2+dimensions] {
				r.Shape = append(r.Shape, int64(d)) // 0 is an error
			}
			records = append(records, r)
		}
		for _, strategy := range Strategies() {
			p, err := Solve(context.Background(), records, strategy)
			if err != nil {
				continue
			}
			if p.Total < p.LowerBound {
				t.Fatalf("%s: %d elements, and a bound of %d", strategy, p.Total, p.LowerBound)
			}
			for i, r := range records {
				if !p.Shapes[p.Objects[i]].Covers(r.Shape) {
					t.Fatalf("%s: object %d of shape %v holds %v", strategy, p.Objects[i], p.Shapes[p.Objects[i]], r.Shape)
				}
				for j, s := range records[:i] {
					if p.Objects[i] == p.Objects[j] && r.First <= s.Last && s.First <= r.Last {
						t.Fatalf("%s: records %d and %d share object %d at the same time", strategy, j, i, p.Objects[i])
					}
				}
			}
		}
	})
}
