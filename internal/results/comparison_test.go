package results

import (
	"encoding/csv"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/lifetime"
)

// TestComparisonCSV: each entry is a row, with a total exactly if it has a plan, and marked if it was interrupted.
func TestComparisonCSV(t *testing.T) {
	c := NewContest("a.csv", "", alloc.Offsets, []lifetime.Record{{Size: 8}})
	c.Add("whole", &alloc.Plan{Total: 8, Optimal: true}, nil)
	c.Add("so far", &alloc.Plan{Total: 16, Interrupted: true}, nil)
	c.Add("late", nil, ErrNotFinished)
	c.Add("unable", nil, errors.New("it cannot, ever"))
	data, err := (&Comparison{Results: []Contest{c}}).CSV()
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(data))).ReadAll()
	if err != nil || len(rows) != 1+len(c.Strategies) {
		t.Fatalf("%v: %d rows of %d strategies:\n%s", err, len(rows), len(c.Strategies), data)
	}
	for i, e := range c.Strategies {
		row := map[string]string{}
		for j, column := range rows[0] {
			row[column] = rows[i+1][j]
		}
		total := ""
		if e.Problem == "" {
			total = fmt.Sprint(e.TotalBytes)
		}
		if row["strategy"] != e.Strategy || row["total_bytes"] != total || row["interrupted"] != fmt.Sprint(e.Interrupted) || row["problem"] != e.Problem {
			t.Errorf("%+v is %v", e, row)
		}
	}
}
