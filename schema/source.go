package schema

import _ "embed"

// Source is the schema, as tflite.fbs has it.
//
//go:embed tflite.fbs
var Source string
