// Package mip writes planning problems as integer programs, in files that CBC and GLPK both read, and
// reads the solutions back. So a solver that shares no code with a strategy can prove optimality.
//
// The program for offsets follows Sekiyama et al. 2018, section 3.1: it minimises the arena u over the
// offsets x, with one binary z for each pair of records that are alive at a common position: the first
// of the two does not lie below the second. Here the program also has alignments, pinned records, and
// records that may share bytes: records with gaps, and the pairs of a [Forbid]. Such a pair has one
// binary for each forbidden range of distances, and none if every distance is allowed.
//
// The paper's constant W has to be large, which leaves the linear relaxation without any bound. So the
// program has further rows that follow from the others for integers: of records that are alive at one
// position, those that lie below one of them take at least its offset, and those that lie above it fit
// between its end and u.
//
// In the program for shared objects, an object is led by its largest record: the binary yI_J puts
// record I into the object led by record J, and of the records that are alive at one position an object
// holds at most one.
//
// All amounts in a file are counted in units; a unit is the largest common divisor of all amounts in
// bytes. Solvers use floating point and recognise integers only to about a millionth, so that programs
// of more than about a million units may get slightly wrong answers. Reading rejects those.
//
// Variables are named after the indexes of records in their slice. A comment before the program lists
// these records and the unit.
package mip
