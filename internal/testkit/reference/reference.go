// Package reference has the published definitions of strategies, implemented without regard for speed,
// and random problems, so that tests can compare the fast strategies with them.
package reference

import "github.com/tflarena/tflarena/lifetime"

// Offsets are the definitions of strategies for offsets, by name.
var Offsets = map[string]func([]lifetime.Record) []int64{
	"naive":             naiveOffsets,
	"greedy-by-size":    func(r []lifetime.Record) []int64 { return BestFit(r, BySize(r, rows)) },
	"greedy-by-breadth": func(r []lifetime.Record) []int64 { return BestFit(r, Profiles(r, earlier(r), false)) },
	"greedy-by-breadth-late-ops": func(r []lifetime.Record) []int64 {
		return BestFit(r, Profiles(r, earlier(r), true))
	},
	"greedy-in-order": func(r []lifetime.Record) []int64 {
		return BestFit(r, sorted(len(r), earlier(r)))
	},
	"strip-packing": func(r []lifetime.Record) []int64 {
		k := newKeys(r)
		return Strip(r, lexical(k.longer, k.larger, k.earlier))
	},
	"strip-packing-by-row": func(r []lifetime.Record) []int64 { return Strip(r, lexical(newKeys(r).longer)) },
	"tflm-greedy": func(r []lifetime.Record) []int64 {
		return place(r, sorted(len(r), func(i, j int) bool {
			return r[i].Size > r[j].Size || r[i].Size == r[j].Size && i > j
		}), firstFit(r))
	},
	"litert-arena": func(r []lifetime.Record) []int64 { return place(r, liteRTOrder(r), liteRT(r)) },

	"by-urgency":           urgency,
	"tvm-conflicts":        conflicts,
	"strip-packing-orders": stripOrders,

	"tile-aware-by-size":   func(r []lifetime.Record) []int64 { return place(r, tileOrders(r)[0], firstFit(r)) },
	"tile-aware-by-length": func(r []lifetime.Record) []int64 { return place(r, tileOrders(r)[1], firstFit(r)) },
	"tile-aware-by-peers":  func(r []lifetime.Record) []int64 { return place(r, tileOrders(r)[2], firstFit(r)) },
	"tile-aware-printed":   tilesPrinted,
	"tile-aware-best-fit":  func(r []lifetime.Record) []int64 { return place(r, tileOrders(r)[0], bestFit(r)) },
}

// Shared are the definitions of strategies for shared objects, by name.
var Shared = map[string]func([]lifetime.Record) *Objects{
	"naive":                      naiveShared,
	"equality":                   equality,
	"greedy-by-size":             func(r []lifetime.Record) *Objects { return SharedBySize(r, BySize(r, earlier(r)), false) },
	"greedy-by-size-first-fit":   func(r []lifetime.Record) *Objects { return SharedBySize(r, BySize(r, earlier(r)), true) },
	"greedy-by-size-improved":    func(r []lifetime.Record) *Objects { return Improved(r, TextStages, larger(r)) },
	"greedy-by-size-distance":    func(r []lifetime.Record) *Objects { return Improved(r, CodeStages, larger(r)) },
	"greedy-by-breadth":          func(r []lifetime.Record) *Objects { return SharedByBreadth(r, Profiles(r, earlier(r), false)) },
	"greedy-by-breadth-late":     func(r []lifetime.Record) *Objects { return SharedByBreadth(r, Profiles(r, later(r), false)) },
	"greedy-by-breadth-late-ops": func(r []lifetime.Record) *Objects { return SharedByBreadth(r, Profiles(r, earlier(r), true)) },
	"greedy-in-order":            inOrder,
	"min-cost-flow":              flow,
}
