package benchmarks

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/internal/testkit/reference"
	"github.com/tflarena/tflarena/lifetime"
)

// A tieRule orders the tensors that a strategy of the paper leaves equal. rank has the place of each
// record.
type tieRule struct {
	words string
	rank  func(records []lifetime.Record) []int
}

// drawnRules is the number of random orders among the tie rules.
const drawnRules = 100

// tieRules returns orders by one key and by two, each in both directions and followed by row order, and
// random orders.
func tieRules() []tieRule {
	type key struct {
		words [2]string
		of    func(r lifetime.Record, row int) int64
	}
	row := key{[2]string{"in row order", "last row first"}, func(_ lifetime.Record, row int) int64 { return int64(row) }}
	keys := []key{
		row,
		{[2]string{"earlier first", "later first"}, func(r lifetime.Record, _ int) int64 { return int64(r.First) }},
		{[2]string{"released earlier first", "released later first"}, func(r lifetime.Record, _ int) int64 { return int64(r.Last) }},
		{[2]string{"shorter-lived first", "longer-lived first"}, func(r lifetime.Record, _ int) int64 { return int64(r.Last - r.First) }},
		{[2]string{"smaller first", "larger first"}, func(r lifetime.Record, _ int) int64 { return r.Size }},
	}
	var rules []tieRule
	add := func(words string, compare func(records []lifetime.Record, i, j int) int) {
		rules = append(rules, tieRule{words, func(records []lifetime.Record) []int {
			return ranked(len(records), func(i, j int) int { return cmp.Or(compare(records, i, j), i-j) })
		}})
	}
	by := func(k key, back int) func(records []lifetime.Record, i, j int) int {
		return func(records []lifetime.Record, i, j int) int {
			return (1 - 2*back) * cmp.Compare(k.of(records[i], i), k.of(records[j], j))
		}
	}
	for _, k := range keys {
		for back := range 2 {
			add(k.words[back], by(k, back))
		}
	}
	for _, k := range keys[1:] {
		for _, l := range keys {
			for back := range 4 {
				if l.words != k.words && (l.words != row.words || back&2 > 0) {
					first, second := by(k, back&1), by(l, back>>1)
					add(k.words[back&1]+", then "+l.words[back>>1], func(records []lifetime.Record, i, j int) int {
						return cmp.Or(first(records, i, j), second(records, i, j))
					})
				}
			}
		}
	}
	for seed := range drawnRules {
		rules = append(rules, tieRule{fmt.Sprintf("in random order %d", seed), func(records []lifetime.Record) []int {
			return rand.New(rand.NewPCG(uint64(seed), 1)).Perm(len(records))
		}})
	}
	return rules
}

// ranked returns the place of each of n items in the order of compare.
func ranked(n int, compare func(i, j int) int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, compare)
	rank := make([]int, n)
	for k, i := range order {
		rank[i] = k
	}
	return rank
}

// A variant is a strategy of the paper with one reading of its choices, apart from the ties between
// tensors.
type variant struct {
	words string
	total func(t *testing.T, records []lifetime.Record, rank []int) int64
}

func sizes(o *reference.Objects) (total int64) {
	for _, size := range o.Sizes {
		total += size
	}
	return total
}

// variants returns the readings of a row of the paper.
func variants(a alloc.Approach, title string) []variant {
	type records = []lifetime.Record
	type before = func(i, j int) bool
	of := func(words string, total func(r records, less before) int64) variant {
		return variant{words, func(_ *testing.T, r records, rank []int) int64 {
			return total(r, func(i, j int) bool { return rank[i] < rank[j] })
		}}
	}
	objects := func(words string, assign func(r records, less before) *reference.Objects) variant {
		return of(words, func(r records, less before) int64 { return sizes(assign(r, less)) })
	}
	offsets := func(words string, place func(r records, less before) []int64) variant {
		return of(words, func(r records, less before) int64 { return reference.Total(r, place(r, less)) })
	}
	switch title {
	case "Greedy by Size":
		if a == alloc.Offsets {
			return []variant{offsets("", func(r records, less before) []int64 { return reference.BestFit(r, reference.BySize(r, less)) })}
		}
		return []variant{
			objects("first suitable object", func(r records, less before) *reference.Objects {
				return reference.SharedBySize(r, reference.BySize(r, less), true)
			}),
			objects("last suitable object", func(r records, less before) *reference.Objects {
				return reference.SharedBySize(r, reference.BySize(r, less), false)
			}),
		}
	case "Greedy by Size Improved":
		stages := func(words string, number func(above, atLeast int) int) variant {
			return objects(words, func(r records, less before) *reference.Objects { return reference.Improved(r, number, less) })
		}
		return []variant{
			stages("stages of the text", reference.TextStages),
			stages("stages of the authors' code", reference.CodeStages),
			stages("stages that end with the next maximum", func(above, _ int) int { return above }),
		}
	case "Greedy by Breadth":
		var list []variant
		for _, late := range []bool{false, true} {
			words := "earlier of equal operators first"
			if late {
				words = "later of equal operators first"
			}
			if a == alloc.Offsets {
				list = append(list, offsets(words, func(r records, less before) []int64 {
					return reference.BestFit(r, reference.Profiles(r, less, late))
				}))
				continue
			}
			list = append(list, objects(words, func(r records, less before) *reference.Objects {
				return reference.SharedByBreadth(r, reference.Profiles(r, less, late))
			}))
		}
		return append(list, byOutputs(a))
	case "Strip Packing (Sekiyama et al., 2018)":
		whole := byRow(a, "strip-packing-by-row")
		return []variant{{"", whole}, {"sizes rounded up to 256 bytes", func(t *testing.T, r records, rank []int) int64 {
			rounded := slices.Clone(r)
			for i := range rounded {
				rounded[i].Size = integer.RoundUp(r[i].Size, 256)
			}
			return whole(t, rounded, rank)
		}}}
	case "Min-cost Flow (Lee et al., 2019)":
		return []variant{{"another cheapest flow", cheapestFlow}}
	}
	return []variant{{"", byRow(a, "greedy-in-order")}} // Greedy (Lee et al., 2019)
}

// byOutputs is greedy by breadth with equally broad operators in the order of their outputs.
func byOutputs(a alloc.Approach) variant {
	return variant{"equal operators in the order of their outputs", func(_ *testing.T, records []lifetime.Record, rank []int) int64 {
		place := map[int]int{} // of the first output of an operator among all outputs
		for i, r := range records {
			if k, ok := place[r.First]; !ok || rank[i] < k {
				place[r.First] = rank[i]
			}
		}
		order := reference.ProfilesBy(records, func(i, j int) bool { return rank[i] < rank[j] }, func(p, q int) bool {
			return place[p] < place[q] || place[p] == place[q] && p < q
		})
		if a == alloc.Offsets {
			return reference.Total(records, reference.BestFit(records, order))
		}
		return sizes(reference.SharedByBreadth(records, order))
	}}
}

// byRow applies a strategy that leaves ties to row order, with the ranks as rows.
func byRow(a alloc.Approach, strategy string) func(t *testing.T, records []lifetime.Record, rank []int) int64 {
	return func(t *testing.T, records []lifetime.Record, rank []int) int64 {
		permuted := make([]lifetime.Record, len(records))
		for i, r := range records {
			permuted[rank[i]] = r
		}
		return tiePlan(t, permuted, a, strategy).Total
	}
}

// cheapestFlow chooses one of the cheapest flows: it adds to each size a number by rank, which all
// together are less than the smallest difference of sizes.
func cheapestFlow(t *testing.T, records []lifetime.Record, rank []int) int64 {
	scale := 2 * int64(len(records)) * int64(len(records))
	tinted := slices.Clone(records)
	for i := range tinted {
		tinted[i].Size, tinted[i].Align = records[i].Size*scale+int64(rank[i]), 1
	}
	plan := tiePlan(t, tinted, alloc.Shared, "min-cost-flow")
	sizes := make([]int64, len(plan.ObjectSizes))
	for i, o := range plan.Objects {
		sizes[o] = max(sizes[o], records[i].Size)
	}
	var total int64
	for _, size := range sizes {
		total += size
	}
	return total
}

func tiePlan(t *testing.T, records []lifetime.Record, a alloc.Approach, strategy string) *alloc.Plan {
	t.Helper()
	plan, err := alloc.Solve(t.Context(), records, alloc.Options{Approach: a, Strategy: strategy})
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// printedAs reports whether bytes are printed as the paper prints them.
func printedAs(bytes int64, figure string) bool {
	return fmt.Sprintf("%.3f", float64(bytes)/mebibyte) == figure
}

// A search is what the tie rules give for one figure of the paper.
type search struct {
	// found describes the first reading that gives the figure, empty if none does.
	found string
	// tried is the number of readings tried, least and most are their smallest and largest totals in
	// bytes.
	tried       int
	least, most int64
}

// add counts the readings of another search.
func (s *search) add(other search) {
	s.tried += other.tried
	s.least, s.most = min(s.least, other.least), max(s.most, other.most)
}

// searchTies tries all readings of a row until one gives the printed figure.
func searchTies(t *testing.T, list []variant, rules []tieRule, records []lifetime.Record, figure string) search {
	s := search{least: math.MaxInt64}
	for _, v := range list {
		for _, rule := range rules {
			total := v.total(t, records, rule.rank(records))
			s.tried++
			s.least, s.most = min(s.least, total), max(s.most, total)
			if printedAs(total, figure) {
				s.found = strings.TrimPrefix(v.words+", equal tensors "+rule.words, ", ")
				return s
			}
		}
	}
	return s
}
