package kernels

import (
	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// connectedModel is a FULLY_CONNECTED, with the constants of the row.
func connectedModel(r recordedRow) encode.Model {
	units := int32(r.int("output_depth"))
	shape := append(r.shape("out_d0", "out_d1", "out_d2")[:r.int("out_rank")-1], units)
	in := append(append([]int32(nil), shape[:len(shape)-1]...), int32(r.int("accum_depth")))
	o := operands{
		inputs: r.filtered(in, []int32{units, int32(r.int("accum_depth"))}, units), output: tensor(r["input_type"], shape...),
	}
	constant := func(i int) {
		t := &o.inputs[i]
		bytes := (elementCount(t.Shape)*ElementBits(t.Type) + 7) / 8
		if t.Type == i4 {
			bytes = (elementCount(t.Shape) + 1) / 2
		}
		o.data = append(o.data, encode.Buffer{Data: make([]byte, bytes)})
		t.Buffer = len(o.data)
	}
	if r["filter_const"] == "1" {
		constant(1)
	}
	if r["bias_const"] == "1" && len(o.inputs) > 2 {
		constant(2)
	}
	o.inputs[1].Quantization = encode.Quantization{Scales: []float32{1}, Zeros: []int64{0}}
	if r["per_channel"] == "1" {
		o.inputs[1].Quantization = encode.Quantization{Scales: make([]float32, max(units, 2)), Zeros: make([]int64, max(units, 2))}
	}
	return single(schema.BuiltinOperatorFULLY_CONNECTED, o, 0, nil)
}

// elementCount is the number of elements of a shape.
func elementCount(shape []int32) int64 {
	n := int64(1)
	for _, d := range shape {
		n *= int64(d)
	}
	return n
}

func productModel(r recordedRow) encode.Model {
	rank := r.int("rank")
	lhs := r.shape("lhs0", "lhs1", "lhs2", "lhs3")[4-rank:]
	rhs := r.shape("rhs0", "rhs1", "rhs2", "rhs3")[4-rank:]
	var out []int32
	for i := range rank - 2 {
		out = append(out, max(lhs[i], rhs[i]))
	}
	pick := func(shape []int32, transposed bool, last bool) int32 {
		if transposed != last {
			return shape[rank-1]
		}
		return shape[rank-2]
	}
	out = append(out, pick(lhs, r["adj_x"] == "1", false), pick(rhs, r["adj_y"] == "1", true))
	return single(schema.BuiltinOperatorBATCH_MATMUL, operands{
		inputs: []encode.Tensor{tensor(r["type"], lhs...), tensor(r["type"], rhs...)}, output: tensor(r["type"], out...),
	}, schema.BuiltinOptionsBatchMatMulOptions, func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
		schema.BatchMatMulOptionsStart(b)
		schema.BatchMatMulOptionsAddAdjX(b, r["adj_x"] == "1")
		schema.BatchMatMulOptionsAddAdjY(b, r["adj_y"] == "1")
		return schema.BatchMatMulOptionsEnd(b)
	})
}

// memoryModel is an LSTM with its required inputs.
func memoryModel(r recordedRow) encode.Model {
	batch, time, features, cells := int32(r.int("batch")), int32(r.int("time")), int32(r.int("input")), int32(r.int("state"))
	in, out := []int32{batch, time, features}, []int32{batch, time, cells}
	if r["time_major"] == "1" {
		in, out = []int32{time, batch, features}, []int32{time, batch, cells}
	}
	inputs := make([]encode.Tensor, 20)
	inputs[0] = tensor(r["type"], in...)
	for i := 1; i < 18; i++ {
		inputs[i] = tensor("i8", cells, features)
	}
	inputs[18] = tensor(r["type"], batch, cells)
	inputs[cellState] = tensor("i16", batch, cells)
	return single(schema.BuiltinOperatorUNIDIRECTIONAL_SEQUENCE_LSTM, operands{inputs: inputs, output: tensor(r["type"], out...)},
		schema.BuiltinOptionsUnidirectionalSequenceLSTMOptions, func(b *flatbuffers.Builder) flatbuffers.UOffsetT {
			schema.UnidirectionalSequenceLSTMOptionsStart(b)
			schema.UnidirectionalSequenceLSTMOptionsAddTimeMajor(b, r["time_major"] == "1")
			return schema.UnidirectionalSequenceLSTMOptionsEnd(b)
		})
}
