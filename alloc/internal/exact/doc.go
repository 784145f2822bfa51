// Package exact finds the plan of offsets with the smallest arena, or proves how close to
// it a plan is.
//
// It cuts a problem into parts that have nothing to do with each other. For each part it
// asks package packing again and again whether the records fit into a capacity, in many
// short probes with different orders. Where records hold only part of their bytes at times
// it asks package disjunctive.
package exact
