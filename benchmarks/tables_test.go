package benchmarks

import (
	"bytes"
	"errors"
	"math"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/testkit/golden"
)

func tables(t *testing.T) []Table {
	t.Helper()
	tables, err := PaperTables(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return tables
}

// TestDocuments keeps the documents what the code computes.
func TestDocuments(t *testing.T) {
	var page, figures bytes.Buffer
	if err := errors.Join(writeMarkdown(&page, tables(t)), writeCSV(&figures, tables(t))); err != nil {
		t.Fatal(err)
	}
	writeDifferences(t, &page, tables(t))
	golden.File(t, "paper-tables.md", page.Bytes())
	golden.File(t, "paper-tables.csv", figures.Bytes())
}

// TestAuthors holds the figures of the authors' own code on the paper's records, in
// bytes, for MobileNet v1 and v2, DeepLab v3, PoseNet and BlazeFace.
func TestAuthors(t *testing.T) {
	want := []map[string][]int64{
		{
			"greedy-in-order":         {4816896, 8429568, 7516224, 6655424, 590080},
			"min-cost-flow":           {5619712, 7877632, 9151200, 7716096, 585728},
			"greedy-by-breadth":       {4816896, 7225344, 7098048, 6655424, 552960},
			"greedy-by-size-improved": {4816896, 7024640, 7098048, 6655424, 542720},
			"greedy-by-size":          {5619712, 7325696, 7446528, 8797344, 542720},
			RowBound:                  {4816896, 6924288, 6401088, 6655424, 542720},
			RowNaive:                  {20182880, 27591136, 51004496, 29943616, 2828992},
		},
		{
			"greedy-in-order":   {6422528, 6823936, 5227200, 8767872, 516096},
			"greedy-by-size":    {4816896, 6021120, 4878720, 6575904, 516096},
			"greedy-by-breadth": {4816896, 6021120, 4878720, 6575904, 516096},
			"strip-packing":     {4816896, 6021120, 4530240, 6575904, 516096},
			RowBound:            {4816896, 6021120, 4530240, 6575904, 516096},
		},
	}
	for i, table := range tables(t) {
		for name, bytes := range want[i] {
			got := row(t, table, name).Bytes
			if diff := cmp.Diff(bytes, []int64{got[0], got[1], got[2], got[4], got[5]}); diff != "" {
				t.Errorf("%s, %s (-authors' code +ours):\n%s", table.Title, name, diff)
			}
		}
	}
}

// TestInception holds the one network that is not to be had as a file to the
// printed figures, within 0.05 %.
func TestInception(t *testing.T) {
	const inception = 3
	for _, table := range tables(t) {
		for _, name := range []string{RowBound, RowNaive} {
			r := row(t, table, name)
			printed, err := strconv.ParseFloat(r.Paper[inception], 64)
			if err != nil {
				t.Fatal(err)
			}
			ours := float64(r.Bytes[inception]) / mebibyte
			if math.Abs(ours/printed-1) > 0.0005 {
				t.Errorf("%s, %s: %.3f MiB, the paper prints %.3f", table.Title, name, ours, printed)
			}
		}
	}
}

func row(t *testing.T, table Table, name string) Row {
	t.Helper()
	for _, r := range table.Rows {
		if r.Name == name {
			return r
		}
	}
	t.Fatalf("%s has no row %s", table.Title, name)
	return Row{}
}
