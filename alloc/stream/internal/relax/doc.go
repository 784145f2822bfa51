// Package relax plans without addresses: it says how fast a run can be when a choice of layers is
// resident and memory is only counted, and searches for a good choice.
package relax
