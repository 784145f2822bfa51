// Package coloring finds the smallest total size of shared objects for intervals of
// time, with a proof: it solves the weighted colouring of an interval graph.
//
// Every interval goes into one object for all of its time, an object holds intervals
// that do not overlap, and it is as large as the largest of them. The total is the
// sum of the objects' sizes. (Pisarchyk and Lee 2020, section 4, state the problem;
// Pemmaraju, Raman and Varadarajan, SODA 2004, that it is NP-hard.)
//
// The search is over vectors of object sizes in falling order, cheapest first, from
// the positional maxima upwards (search.go, branch.go). Whether a vector has room for all
// intervals is a question of its own: give each interval a class, that is a size
// that some objects have, so that at no time a class has more intervals than
// objects; within a class the colouring is then easy (fitter.go, decide.go). A vector
// without room is raised for as long as it has none: no vector below the raised one has to
// be looked at any more (cut.go, grow.go).
package coloring
