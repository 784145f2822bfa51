// Package lifetime computes when each tensor of a model is alive and how much memory is in use
// at every step.
//
// A [Graph] has operators over sized tensors. Its [Usage] has one usage [Record] for each
// planned tensor, and everything else follows from the records alone: operator profiles,
// breadths, positional maxima and lower bounds. A [Takeover] or an [Overlap] permits two
// records to share memory although both are alive.
//
// A [Tiled] tensor is written and read in parts, step by step, and [Tiled.Lives] computes the
// live ranges of its bytes (Kvochko et al. 2024).
//
// The terms are those of Pisarchyk and Lee, "Efficient Memory Management for Deep Neural Net
// Inference" (2020), section 3. The package is independent of TensorFlow Lite: package
// lifetime/rules makes a [Graph] from a model, and records may also come from a CSV problem or
// a generator.
package lifetime
