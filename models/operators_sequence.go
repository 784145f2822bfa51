package models

import (
	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

func gatherOperator(axis int32) encode.Operator {
	return encode.Operator{
		Builtin:     schema.BuiltinOperatorGATHER,
		OptionsType: schema.BuiltinOptionsGatherOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.GatherOptionsStart(b)
			schema.GatherOptionsAddAxis(b, axis)
			return schema.GatherOptionsEnd(b)
		},
	}
}

func unpackOperator(axis, parts int32) encode.Operator {
	return encode.Operator{
		Builtin:     schema.BuiltinOperatorUNPACK,
		OptionsType: schema.BuiltinOptionsUnpackOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.UnpackOptionsStart(b)
			schema.UnpackOptionsAddNum(b, parts)
			schema.UnpackOptionsAddAxis(b, axis)
			return schema.UnpackOptionsEnd(b)
		},
	}
}

func splitOperator(parts int32) encode.Operator {
	return encode.Operator{
		Builtin:     schema.BuiltinOperatorSPLIT,
		OptionsType: schema.BuiltinOptionsSplitOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.SplitOptionsStart(b)
			schema.SplitOptionsAddNumSplits(b, parts)
			return schema.SplitOptionsEnd(b)
		},
	}
}

func argMaxOperator() encode.Operator {
	return encode.Operator{
		Builtin:     schema.BuiltinOperatorARG_MAX,
		OptionsType: schema.BuiltinOptionsArgMaxOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.ArgMaxOptionsStart(b)
			schema.ArgMaxOptionsAddOutputType(b, schema.TensorTypeINT32)
			return schema.ArgMaxOptionsEnd(b)
		},
	}
}

func transposeOperator() encode.Operator {
	return encode.Operator{
		Builtin:     schema.BuiltinOperatorTRANSPOSE,
		OptionsType: schema.BuiltinOptionsTransposeOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.TransposeOptionsStart(b)
			return schema.TransposeOptionsEnd(b)
		},
	}
}

// matMulOperator returns a product of matrices, of which the second may be transposed.
func matMulOperator(transposed bool) encode.Operator {
	return encode.Operator{
		Builtin:     schema.BuiltinOperatorBATCH_MATMUL,
		OptionsType: schema.BuiltinOptionsBatchMatMulOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.BatchMatMulOptionsStart(b)
			schema.BatchMatMulOptionsAddAdjY(b, transposed)
			return schema.BatchMatMulOptionsEnd(b)
		},
	}
}
