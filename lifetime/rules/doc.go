// Package rules applies the rules of one runtime to a model: which tensors the runtime plans,
// their sizes and alignments, and their live ranges.
//
// A rule set is a value of type [Rules] with named switches: [Lookup] finds one by name, and
// [Rules.View] applies it to a model. To add a runtime, add a value to rule_sets.go and set its
// switches.
//
// For TensorFlow Lite Micro, the package also models the requirements of its reference kernels
// (scratch in [Device.Requests], the whole arena in [Load.Arena]), the models that they cannot
// run ([Rules.Faults]), in-place outputs ([View.Takeovers]), and overlapping outputs
// ([View.Overlaps]). For LiteRT, it models the orders of operators that change the results
// ([Hazards]).
package rules
