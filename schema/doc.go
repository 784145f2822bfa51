// Package schema describes the TensorFlow Lite file format: the schema in our own words
// (tflite.fbs), and the accessors that flatc generates from it.
//
// The accessors trust the bytes they are given: on a hostile file they panic or read
// without bound. Package tflite verifies a file before it calls any of them, and is what
// other packages should use to read models.
package schema

//go:generate flatc --go --gen-onefile --go-namespace schema -o . tflite.fbs
//go:generate gofmt -s -w tflite_generated.go

// Identifier is the file identifier of a TensorFlow Lite model, bytes 4 to 7 of
// the file.
const Identifier = "TFL3"

// Version is the value Model.version has in every file the runtimes accept.
const Version = 3
