// Package mip states memory planning as integer programs, in files that CBC and GLPK
// both read, and reads their solutions back. What a strategy claims to be optimal can
// so be proven by a solver that shares no code with it.
//
// Offsets are the program of Sekiyama et al. 2018, section 3.1: minimise the arena u
// over the offsets x, with one binary z for each pair of records that are alive at a
// common position, which says that the first of the two does not lie below the second.
// Here it also has alignments, pinned records, and gaps, where a pair may need a binary
// for each of several ranges of distances that are forbidden.
//
// A large W leaves a solver that begins with fractions without any bound. So rows are
// added that follow from the others in whole numbers: of records that are alive at one
// position, those below one of them take its offset at least, and those above it fit
// between its end and u.
//
// Shared objects are led by their largest record: the binary yI_J says that record I
// lies in the object that record J leads, and of the records that are alive at one
// position an object holds one at most.
//
// All amounts in a file are counted in units, the largest number of bytes that they
// are multiples of: solvers calculate in floating point and see numbers that are whole
// only to about a millionth. Programs of more than about a million units may get
// answers that are not quite right; reading refuses those that are wrong.
//
// Variables are named after the places of records in their slice. A comment before the
// program says which record that is, and what a unit is.
package mip
