// Package mip writes planning problems as integer programs, in files that CBC and GLPK both
// read, and reads the solutions back. So a solver that shares no code with a strategy can
// prove what the strategy claims to be optimal.
//
// The program for offsets is that of Sekiyama et al. 2018, section 3.1: it minimises the
// arena u over the offsets x, with one binary z for each pair of records that are alive at
// a common position, which says that the first of the two does not lie below the second.
// Here the program also has alignments, pinned records, and records that may share bytes: those
// with gaps, and those of an [Apart]. There a pair has one binary for each range of distances that is
// forbidden, and none where every distance is right.
//
// The paper's constant W has to be large, which leaves a solver that begins with fractions
// without any bound. So the program has further rows that follow from the others for whole
// numbers: of records that are alive at one position, those that lie below one of them take
// at least its offset, and those that lie above it fit between its end and u.
//
// In the program for shared objects, an object is led by its largest record: the binary
// yI_J says that record I lies in the object that record J leads, and of the records that
// are alive at one position an object holds at most one.
//
// All amounts in a file are counted in units; a unit is the largest number of bytes that
// all amounts are multiples of. Solvers calculate in floating point and tell whole numbers
// only to about a millionth, so programs of more than about a million units may get answers
// that are not quite right. Reading refuses those that are wrong.
//
// Variables are named after the places of records in their slice. A comment in front of the
// program says which record that is, and what a unit is.
package mip
