// Package order finds the order of operators with the lowest peak memory, with a proof that no
// order has a lower one, or a lower bound.
//
// # The model
//
// A closed set is a set of operators that contains all predecessors of its members. An order
// goes from the empty closed set to the full one, one operator at a time. A value is memory
// that some operators touch. It is alive after a closed set D if some of them have run and some
// have not; graph inputs count as begun, and values kept to the end never count as finished.
// live(D) is the sum of the sizes of the values alive. While an operator v runs, the values
// that it touches are alive too, and so are its extra bytes, less those that its outputs may share
// with values that end there ([lifetime.Share]). The peak of an order is the largest such sum.
//
// With shares, the bytes alive while an operator runs are not submodular: forced and lazy moves are heuristics, which only
// beam searches use, and cuts give no bound.
//
// # Why a forced walk is safe
//
// live is a sum of terms [D meets S] and -[D contains S], which are submodular, so
//
//	live(D ∪ E) + live(D ∩ E) <= live(D) + live(E).
//
// The same holds while v runs, if each operator is split into one that begins and one that
// ends. Now let E contain D, and let no closed set between the two have fewer bytes alive than
// E. Take any order that continues from D through sets X1, X2, ... and let it go to E first and
// then through X1 ∪ E, X2 ∪ E, ... Since Xi ∩ E is between D and E, live(Xi ∪ E) <= live(Xi) +
// live(E) - live(Xi ∩ E) <= live(Xi), and the same holds between the sets. So if some walk from
// D to E has no peak above a budget that the search must accept anyway, it may go to E at once
// and ignore all alternatives.
//
// The search looks for such walks from each ready operator, through operators that the walk
// itself enables, until no more bytes are alive than at the start. If each operator depends on
// the one before, the sets between are those on the way. Otherwise the set between with the
// fewest bytes alive is a minimum cut; going there by the same walk, without the operators
// outside, has no higher peak, again by the inequality.
//
// # The search
//
//   - The operators are split into segments where every order has run the same set.
//   - Operators that never free anything are lazy: they run right before their first
//     successor, which reduces the bytes alive in between.
//   - For one operator, the fewest bytes that can be alive while it runs are a minimum cut.
//     The largest of these is a lower bound, which is the optimum in most real models.
//   - Beam searches find orders, best-first search over closed sets proves them; if it
//     ends early, the lowest peak of an open state is a bound. Both also run backwards
//     in time, where the problem has the same form.
//
// Closed sets and minimax best-first search are as in Ahn et al., "Ordering Chaos" (MLSys
// 2020), cuts of closed sets as in Picard, "Maximal closure of a graph" (1976).
package order
