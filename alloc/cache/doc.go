// Package cache chooses among memory plans of the same total the one whose run has the fewest cache
// misses, which Pisarchyk and Lee 2020 leave to future work (section 7.1).
//
// The model is a run of the operators in their order, from an empty cache. An operator reads its inputs
// one after the other, then uses its scratch, then writes its outputs, each once from the first byte to
// the last. Constants are inputs too: their lines evict those of tensors. Kernels that read an input
// several times, or inputs and outputs in turn, hit more often than the model says.
//
// The cache is set-associative, replaces the least recently used line, and loads the lines that a write
// misses. [Count] simulates it line by line, and [Improve] moves tensors as long as that saves misses.
package cache
