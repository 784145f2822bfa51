package split_test

import (
	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// binaryOperator is an element-wise operator of two inputs. Integers of 16 bits get scales
// of any size, not powers of two alone.
func binaryOperator(kind schema.BuiltinOperator, fused schema.ActivationFunctionType) encode.Operator {
	o := encode.Operator{Builtin: kind}
	switch kind {
	case schema.BuiltinOperatorADD:
		o.OptionsType = schema.BuiltinOptionsAddOptions
		o.Options = func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.AddOptionsStart(b)
			schema.AddOptionsAddFusedActivationFunction(b, fused)
			schema.AddOptionsAddPotScaleInt16(b, false)
			return schema.AddOptionsEnd(b)
		}
	case schema.BuiltinOperatorSUB:
		o.OptionsType = schema.BuiltinOptionsSubOptions
		o.Options = func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.SubOptionsStart(b)
			schema.SubOptionsAddFusedActivationFunction(b, fused)
			schema.SubOptionsAddPotScaleInt16(b, false)
			return schema.SubOptionsEnd(b)
		}
	case schema.BuiltinOperatorMUL:
		o.OptionsType = schema.BuiltinOptionsMulOptions
		o.Options = func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.MulOptionsStart(b)
			schema.MulOptionsAddFusedActivationFunction(b, fused)
			return schema.MulOptionsEnd(b)
		}
	case schema.BuiltinOperatorDIV:
		o.OptionsType = schema.BuiltinOptionsDivOptions
		o.Options = func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.DivOptionsStart(b)
			schema.DivOptionsAddFusedActivationFunction(b, fused)
			return schema.DivOptionsEnd(b)
		}
	}
	return o
}

func leakyOperator(alpha float32) encode.Operator {
	return encode.Operator{
		Builtin: schema.BuiltinOperatorLEAKY_RELU, OptionsType: schema.BuiltinOptionsLeakyReluOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.LeakyReluOptionsStart(b)
			schema.LeakyReluOptionsAddAlpha(b, alpha)
			return schema.LeakyReluOptionsEnd(b)
		},
	}
}

func softmaxOperator(beta float32) encode.Operator {
	return encode.Operator{
		Builtin: schema.BuiltinOperatorSOFTMAX, OptionsType: schema.BuiltinOptionsSoftmaxOptions,
		Options: func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.SoftmaxOptionsStart(b)
			schema.SoftmaxOptionsAddBeta(b, beta)
			return schema.SoftmaxOptionsEnd(b)
		},
	}
}
