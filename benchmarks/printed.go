package benchmarks

import "github.com/tflarena/tflarena/alloc"

// printed is a row of a table as the paper prints it: one figure per network, in MiB (the paper says
// MB), in the order of [models.List] of [models.Tables].
type printed struct {
	strategy string // our name of the strategy, or one of the names below
	title    string // the paper's
	figures  []string
}

// Names of the rows that no strategy computes.
const (
	// RowBound is the lower bound of the table's approach.
	RowBound = "lower-bound"
	// RowNaive is the sum of all sizes.
	RowNaive = "naive"
)

var (
	table1 = []printed{
		{"greedy-by-size-first-fit", "Greedy by Size", []string{"4.594", "7.178", "6.437", "10.337", "6.347", "0.592"}},
		{"greedy-by-size-improved", "Greedy by Size Improved", []string{"4.594", "6.891", "6.437", "10.337", "6.347", "0.518"}},
		{"greedy-by-breadth-late", "Greedy by Breadth", []string{"6.125", "6.699", "6.437", "10.676", "8.390", "0.675"}},
		{"greedy-in-order", "Greedy (Lee et al., 2019)", []string{"4.594", "8.039", "7.168", "12.703", "6.347", "0.587"}},
		{"min-cost-flow", "Min-cost Flow (Lee et al., 2019)", []string{"5.359", "7.513", "8.364", "10.624", "7.359", "0.582"}},
		{RowBound, "Lower Bound", []string{"4.594", "6.604", "6.105", "8.955", "6.347", "0.518"}},
		{RowNaive, "Naive", []string{"19.248", "26.313", "48.642", "54.010", "28.556", "2.698"}},
	}
	table2 = []printed{
		{"greedy-by-size", "Greedy by Size", []string{"4.594", "5.742", "4.653", "7.914", "6.271", "0.492"}},
		{"greedy-by-breadth-late-ops", "Greedy by Breadth", []string{"4.594", "5.742", "4.653", "7.914", "7.359", "0.656"}},
		{"greedy-in-order", "Greedy (Lee et al., 2019)", []string{"6.125", "6.508", "4.985", "10.624", "8.362", "0.492"}},
		{"strip-packing-by-row", "Strip Packing (Sekiyama et al., 2018)", []string{"4.594", "6.029", "4.321", "7.914", "6.271", "0.533"}},
		{RowBound, "Lower Bound", []string{"4.594", "5.742", "4.320", "7.914", "6.271", "0.492"}},
		{RowNaive, "Naive", []string{"19.248", "26.313", "48.642", "54.010", "28.556", "2.698"}},
	}
)

// papers are the tables in display order.
var papers = []struct {
	title    string
	approach alloc.Approach
	rows     []printed
}{
	{"Table 1: shared objects", alloc.Shared, table1},
	{"Table 2: offsets", alloc.Offsets, table2},
}
