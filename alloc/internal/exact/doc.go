// Package exact finds the plan of offsets with the smallest arena, or proves how close to it a plan is.
//
// It cuts a problem into independent parts. For each part it repeatedly uses package packing to decide
// whether the records fit into a capacity, in many short probes with different orders. For records that
// hold only part of their bytes at times it uses package disjunctive.
package exact
