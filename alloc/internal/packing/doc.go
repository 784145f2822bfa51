// Package packing decides whether records fit into an arena of a given size: a complete search over
// canonical placements that learns from its failures.
//
// It builds a packing from the bottom up, as MiniMalloc does (Moffitt, ASPLOS 2023), and keeps its
// section inference, but branches on one record at a time: either it lies at its lowest open offset, or
// it does not, and then a record that is not yet placed lies under it. Each failure is explained by the
// placements that caused it; unrelated ones are jumped over, and failed states are remembered.
//
// # Why it is complete
//
// Call a packing normal if no record can be taken out and put back lower. Any packing becomes normal by
// doing so as long as possible, so it is enough to search normal ones. Let o be the lowest offset at
// which record x is above all that is placed around it, and let no waiting record be able to end at o
// or below. A normal packing has x at o, or else higher; in that case another record reaches into the
// bytes that x would take at o, for otherwise x could be put there, and x lies above that record.
package packing
