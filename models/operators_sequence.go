package models

import (
	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

func gatherOperator(axis int32) encode.Operator {
	return operator(schema.BuiltinOperatorGATHER, schema.BuiltinOptionsGatherOptions,
		schema.GatherOptionsStart, schema.GatherOptionsEnd, func(b *flatbuffers.Builder) {
			schema.GatherOptionsAddAxis(b, axis)
		})
}

func unpackOperator(axis, parts int32) encode.Operator {
	return operator(schema.BuiltinOperatorUNPACK, schema.BuiltinOptionsUnpackOptions,
		schema.UnpackOptionsStart, schema.UnpackOptionsEnd, func(b *flatbuffers.Builder) {
			schema.UnpackOptionsAddNum(b, parts)
			schema.UnpackOptionsAddAxis(b, axis)
		})
}

func splitOperator(parts int32) encode.Operator {
	return operator(schema.BuiltinOperatorSPLIT, schema.BuiltinOptionsSplitOptions,
		schema.SplitOptionsStart, schema.SplitOptionsEnd, func(b *flatbuffers.Builder) {
			schema.SplitOptionsAddNumSplits(b, parts)
		})
}

func argMaxOperator() encode.Operator {
	return operator(schema.BuiltinOperatorARG_MAX, schema.BuiltinOptionsArgMaxOptions,
		schema.ArgMaxOptionsStart, schema.ArgMaxOptionsEnd, func(b *flatbuffers.Builder) {
			schema.ArgMaxOptionsAddOutputType(b, schema.TensorTypeINT32)
		})
}

func transposeOperator() encode.Operator {
	return operator(schema.BuiltinOperatorTRANSPOSE, schema.BuiltinOptionsTransposeOptions,
		schema.TransposeOptionsStart, schema.TransposeOptionsEnd)
}

// matMulOperator returns BATCH_MATMUL, optionally with a transposed second matrix.
func matMulOperator(transposed bool) encode.Operator {
	return operator(schema.BuiltinOperatorBATCH_MATMUL, schema.BuiltinOptionsBatchMatMulOptions,
		schema.BatchMatMulOptionsStart, schema.BatchMatMulOptionsEnd, func(b *flatbuffers.Builder) {
			schema.BatchMatMulOptionsAddAdjY(b, transposed)
		})
}
