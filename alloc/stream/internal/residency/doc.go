// Package residency chooses the layers whose weights are resident. It counts memory but assigns no
// offsets: it computes the latency of a choice, and searches for a good one.
package residency
