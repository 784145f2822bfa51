// Package schedule chooses the order of a graph's operators by the memory that it needs: it
// finds orders of the least peak, and among several orders the one whose plan is the
// smallest.
package schedule
