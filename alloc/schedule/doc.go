// Package schedule plans memory where the order of operators is open: it looks for the
// orders of the least peak, and for the one whose plan is the smallest.
package schedule
