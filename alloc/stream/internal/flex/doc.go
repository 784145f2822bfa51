// Package flex plans as FlexNN does: activations first, from both ends of memory, then the weights of
// each layer, each as early as memory allows, then the intermediates.
//
// The method is that of Li et al. 2024, section 3.3.2. The rules are those of the authors' program where it makes a valid plan, so that the plan has
// the same addresses. Where the program makes none, this package mends two faults of it: an
// activation whose place is taken goes to the nearest free place of its end, and a layer that is
// planned again without preloading leaves nothing of the first try behind.
package flex
