// Package oneop draws random models of one operator, with constants and inputs, for comparing runtimes
// and predictions.
//
// Most are models as a converter writes them. The others are structurally valid and differ in one
// respect: a type, a shape, a quantisation, an absent operand, a parameter computed at run time.
package oneop
