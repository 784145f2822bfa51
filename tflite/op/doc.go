// Package op tells what each operator of the format computes: knowledge of the operator
// itself, the same for every runtime. What a runtime's kernel costs, permits and refuses
// is told in package lifetime/rules.
//
// It tells these facts: the shapes of the outputs ([Shapes]), which part of each input a part of
// an output is made of ([Regions]), the multiply-accumulates ([MACs]), which inputs are
// parameters rather than data ([Parameters]), which operators go element by element ([Of]),
// which do more than their tensors show ([HasEffects]), and on which states ([Effects]). What others need to say it in their
// own way is told too: the window of a convolution or a pool ([WindowOf]), how a picture is
// resized ([ResizeOf]), paddings, sizes of blocks.
//
// A fact is a field of facts; the table in builtins.go has one value for each operator, and each
// family of operators has a file of its own. An operator that is not in the table has no fact
// worth telling.
//
// # Multiply-accumulates
//
// A multiply-accumulate is one multiplication of two values, at least one of which is not
// squared, whose product is added to a sum of several such products: a convolution, a
// matrix product, a gate of a recurrent cell. That is what papers and data sheets count,
// and two of them are one multiply-accumulate's FLOPs. By this rule
//
//   - padding counts like data, and so do zeros in sparse weights: it is the dense loop
//     nest that is counted, whatever a kernel skips;
//   - a transposed convolution counts every product of an input value and a weight, also
//     of those that fall outside the output;
//   - biases, requantisation and fused activations count nothing;
//   - element-wise multiplication counts nothing, and neither do pooling, means, norms,
//     resizing and softmax; the peephole weights of an LSTM count, as each of their products
//     joins a gate's sum;
//   - Fourier transforms count nothing, as their work depends on the algorithm;
//   - an operator with weights stored in fewer bits, or multiplied in other types, counts
//     the same.
package op
