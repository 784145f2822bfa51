// Package op describes what each operator of the format computes, independently of the runtime.
// The costs, permissions and restrictions of a runtime's kernels are in package lifetime/rules.
//
// It provides these facts: the shapes of the outputs ([Shapes]), the part of each input that a
// part of an output depends on ([Regions]), the multiply-accumulates ([MACs]), the inputs that
// are parameters rather than data ([Parameters]), the element-wise operators ([Of]), the
// operators with side effects ([HasEffects]), and the states affected ([Effects]). It also
// provides their raw parameters: the window of a convolution or a pool ([WindowOf]), the
// geometry of a resize ([ResizeOf]), paddings, block sizes.
//
// A fact is a field of facts; the table in builtins.go has one value per operator, and each
// family of operators has its own file. An operator missing from the table has no useful fact.
//
// # Multiply-accumulates
//
// A multiply-accumulate (MAC) is one multiplication of two values, at least one of which is not
// squared, whose product is added to a sum of several such products: a convolution, a matrix
// product, a gate of a recurrent cell. Papers and data sheets count the same; one MAC is two
// FLOPs. By this rule
//
//   - padding counts like data, and so do zeros in sparse weights: the dense loop nest is
//     counted, whatever a kernel skips;
//   - a transposed convolution counts every product of an input value and a weight,
//     including products outside the output;
//   - biases, requantisation and fused activations count nothing;
//   - element-wise multiplication counts nothing, and neither do pooling, means, norms,
//     resizing and softmax; the peephole weights of an LSTM count, as each of their products
//     joins a gate's sum;
//   - Fourier transforms count nothing, as their work depends on the algorithm;
//   - an operator with weights stored in fewer bits, or multiplied in other types, counts
//     the same.
package op
