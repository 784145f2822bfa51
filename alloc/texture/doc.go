// Package texture plans shared objects with a shape: textures of two or three dimensions, or tensors of
// four (BHWC). [Of] returns the texture of a tensor in LiteRT's GPU delegate. An object may hold a tensor only if it covers it in every dimension.
//
// The strategies naive, equality and greedy-in-order follow the GPU delegate of TensorFlow Lite, the
// code of the authors of Pisarchyk and Lee (2020). In them objects never grow. In growing, which is
// ours, they do, and exact finds the smallest total for small problems.
package texture
