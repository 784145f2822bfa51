// Package export writes memory plans in the forms that other programs read: C for firmware,
// CSV for spreadsheets, integer programs for solvers, and a picture for people.
//
// [Formats] lists the forms there are, and [Write] writes a [Plan] in one of them. A plan is
// given by usage records and the places that package alloc, or anybody else, found for them:
// no model is needed. Only the forms in C, which TensorFlow Lite Micro reads, take more: a
// [Firmware].
package export
