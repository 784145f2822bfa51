// Package export writes memory plans in the formats of other programs: C for firmware, CSV for
// spreadsheets, integer programs for solvers, and pictures.
//
// [Formats] lists the formats, and [Write] writes a [Plan] in one of them. A plan consists of usage
// records and their places, from package alloc or elsewhere: no model is required. Only the C formats,
// which TensorFlow Lite Micro reads, also require a [Firmware].
package export
