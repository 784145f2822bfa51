// Package exact finds the smallest offsets, or proves how close they are: part by part, in
// probes of package packing with different orders, and with package disjunctive where records are held
// in part.
package exact
