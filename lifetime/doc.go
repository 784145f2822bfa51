// Package lifetime says when each tensor is alive: a graph of operators and sized
// tensors, the usage records that follow from it, and what can be read off the
// records alone: operator profiles, breadths, positional maxima and lower bounds.
//
// The words are those of Pisarchyk and Lee, "Efficient Memory Management for Deep
// Neural Net Inference" (2020), section 3. The package knows nothing of TensorFlow
// Lite: package lifetime/rules makes a [Graph] from a model, and records may as
// well come from a CSV problem or a generator.
package lifetime
