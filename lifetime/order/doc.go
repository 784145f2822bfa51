// Package order finds the order of operators that needs the least memory at its peak, with
// a proof that no order needs less, or a lower bound.
//
// # The model
//
// A closed set is a set of operators that contains, with each operator, all those that have
// to run before it. An order goes from the empty closed set to the full one, one operator at
// a time. A value is memory that some operators touch. It is alive behind a closed set D when
// some of them have run and some have not; graph inputs count as begun, and values that are
// kept to the end never count as over. live(D) is the sum of the sizes of the values alive.
// While an operator v runs, the values that it touches are alive too, and so are its extra
// bytes. The peak of an order is the largest sum of that kind.
//
// # Why a forced walk loses nothing
//
// live is a sum of terms [D meets S] and -[D contains S], which are submodular, so
//
//	live(D ∪ E) + live(D ∩ E) <= live(D) + live(E).
//
// The same holds while v runs, if each operator is taken for two, one that begins and one
// that ends. Now let E contain D, and let no closed set between
// the two have less alive than E. Take any order that goes on from D through sets X1, X2,
// ... and have it go to E first and then through X1 ∪ E, X2 ∪ E, ... Since Xi ∩ E lies
// between D and E, live(Xi ∪ E) <= live(Xi) + live(E) - live(Xi ∩ E) <= live(Xi), and the
// same for the moments between. So where some walk from D to E has no peak above what the
// search has to reckon with anyway, it may go to E at once and look at nothing else.
//
// The search looks for such walks from each operator that can run, through operators that the
// walk itself makes possible, until no more is alive than at the start. Where each operator
// waited for the one before, the sets between are those on the way. Otherwise the set
// between with the least alive is a minimum cut; going there by the same walk, without
// the operators outside, has no higher peak, again by the inequality.
//
// # The search
//
//   - The operators are cut into segments where all of them are the same in every order.
//   - Operators that never free anything are lazy: they run right before the first one
//     that waits for them, which makes everything in between less.
//   - For one operator, the least that can be alive while it runs is a minimum cut. The
//     largest of these is a lower bound, which is the optimum in most real models.
//   - Beam searches find orders, best-first search over closed sets proves them; when
//     that ends early, the least peak of an open state is a bound. Both also go backwards
//     in time, where the problem has the same form.
//
// Closed sets and minimax best-first search are as in Ahn et al., "Ordering Chaos"
// (MLSys 2020), cuts of closed sets as in Picard, "Maximal closure of a graph" (1976).
package order
