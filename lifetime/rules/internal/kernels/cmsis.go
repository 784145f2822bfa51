package kernels

import "github.com/tflarena/tflarena/schema"

// CMSIS-NN: the persistent memory and the scratch of its TensorFlow Lite Micro kernels
// (tflite-micro 90b983c, CMSIS-NN 99f736a, compiled by gcc). It has code for three kinds of
// cores, and a build for size that omits some tables.

// A core is the instruction set that CMSIS-NN is compiled for.
type core int

const (
	scalar core = iota // no SIMD: Cortex-M0 to M3
	dsp                // the DSP extension: Cortex-M4, M7, M33
	mve                // Helium: Cortex-M52, M55, M85
)

// An armBuild is one of the builds of CMSIS-NN. small is the build for size.
type armBuild struct {
	core  core
	small bool
}

// cmsisNN returns the kernels of a build that differ from the reference kernels.
func cmsisNN(b armBuild) map[schema.BuiltinOperator]demand {
	return map[schema.BuiltinOperator]demand{
		schema.BuiltinOperatorCONV_2D: changed(schema.BuiltinOperatorCONV_2D, 60,
			in(0, 1), out(0), where(inputIs(0, i8, i16), keep(channels), keep(channels)), in(0, 1, 2), out(0), called(0, convolver, b.convolution)).wasting(b.unusedConvolution),
		schema.BuiltinOperatorDEPTHWISE_CONV_2D: changed(schema.BuiltinOperatorDEPTHWISE_CONV_2D, 60,
			in(0, 1), out(0), where(inputIs(0, i8, i16), keep(depthChannels), keep(depthChannels)), in(0, 1, 2), out(0), called(0, depthwiser, b.depthwise)),
		schema.BuiltinOperatorTRANSPOSE_CONV: changed(schema.BuiltinOperatorTRANSPOSE_CONV, 76,
			out(0), in(2, 1), keep(channels), keep(channels),
			where(inputIs(2, i8), alwaysCalled(2, "transpose_conv_s8", b.transposedSums), alwaysCalled(2, "transpose_conv_s8_reverse_conv", b.transposedFilter)),
			where(inputIs(2, i16), scratch(times(fixed(8), ofOutput(0, Elements)))),
			where(not(inputIs(2, f32)), in(2, 1, 3), out(0)),
			where(both(inputIs(2, i16), inputIs(3, i16)), scratch(times(fixed(8), ofInput(3, Elements))))),
		schema.BuiltinOperatorFULLY_CONNECTED: changed(schema.BuiltinOperatorFULLY_CONNECTED, 72,
			in(0, 1, 2), out(0),
			where(both(not(inputIs(0, f32)), perChannel), keep(eachScale), keep(eachScale)), b.connected),
		schema.BuiltinOperatorSVDF:            b.svdf(),
		schema.BuiltinOperatorAVERAGE_POOL_2D: changed(schema.BuiltinOperatorAVERAGE_POOL_2D, 36, in(0), out(0), b.averages()),
		schema.BuiltinOperatorMAX_POOL_2D:     changed(schema.BuiltinOperatorMAX_POOL_2D, 36, inOut...),
		schema.BuiltinOperatorSOFTMAX: changed(schema.BuiltinOperatorSOFTMAX, 64,
			in(0), out(0), where(inputIs(0, i16), keep(fixed(1026)), keep(fixed(1026)))),
		schema.BuiltinOperatorBATCH_MATMUL: changed(schema.BuiltinOperatorBATCH_MATMUL, 36,
			in(0, 1), out(0), where(adjointX, transposed(0)), where(not(adjointY), transposed(1)),
			where(inputIs(0, i8, i16), keep(fixed(28))), copyOfOut, b.columns()),
		schema.BuiltinOperatorUNIDIRECTIONAL_SEQUENCE_LSTM: changed(schema.BuiltinOperatorUNIDIRECTIONAL_SEQUENCE_LSTM, 912,
			inputs(0), out(0),
			where(inputIs(0, i8), cellSums(4)), where(inputIs(0, i16), cellSums(8)),
			gate, gate, gate, where(inputIs(0, f32), gate)),
	}
}

// changed is the row of a reference kernel, with another struct and other requests.
func changed(code schema.BuiltinOperator, init int64, prepare ...ask) demand {
	return demand{options: reference[code].options, init: []ask{data(init, init)}, prepare: prepare}
}

// averages is the accumulator of an average pool: four bytes per channel.
func (b armBuild) averages() ask {
	name := func(k *Kernel) string {
		return map[schema.TensorType]string{i8: "avgpool_s8", i16: "avgpool_s16"}[k.inputType(0)]
	}
	return called(0, name, func(k *Kernel) int64 {
		if b.core != dsp {
			return 0
		}
		return product(4, Dim(k.input(0), 3))
	})
}

// sums is the sums of the given number of weight rows, required only with vectors.
func (b armBuild) sums(rows int64) int64 {
	if b.core != mve {
		return 0
	}
	return product(4, rows)
}

// convolver and depthwiser return the size function for the types of a convolution. The one for
// 4-bit weights is not called for CONV_2D.
func convolver(k *Kernel) string {
	return map[schema.TensorType]string{i8: "convolve_wrapper_s8", i16: "convolve_wrapper_s16"}[k.inputType(0)]
}

func depthwiser(k *Kernel) string {
	switch {
	case k.inputType(0) != i8:
		return ""
	case k.inputType(1) == i4:
		return "depthwise_conv_wrapper_s4"
	}
	return "depthwise_conv_wrapper_s8"
}

// columns is the sums of the columns of the second operand of BATCH_MATMUL.
func (b armBuild) columns() ask {
	return where(inputIs(0, i8), func(k *Kernel, a Asker) {
		columns := axis(-1)(k.output(0))
		by(a, Call{Function: "fully_connected_s8", Filter: [4]int64{0, 1, 1, columns}}, b.sums(columns))
	})
}

// cellSums is the weight sums of the gates of an LSTM, two per gate, with the given bytes per
// element of the state.
func cellSums(bytes int64) ask {
	state := ofInput(cellState, axis(1))
	return keepEach(fixed(8), times(fixed(bytes), state))
}

// svdf keeps the sums of the feature weights if vectors are available; the build for size uses
// scratch instead.
func (b armBuild) svdf() demand {
	filters := ofInput(1, axis(0))
	sums := func() ask {
		switch {
		case b.small:
			return where(inputIs(0, i8), func(k *Kernel, a Asker) {
				by(a, Call{Function: "svdf_s8", Filter: [4]int64{filters(k), 1, 1, 1}}, b.sums(filters(k)))
			})
		case b.core != mve:
			return all()
		}
		return where(inputIs(0, i8), keep(times(fixed(4), filters)))
	}()
	init := int64(40)
	if b.small {
		init = 44
	}
	return changed(schema.BuiltinOperatorSVDF, init, in(0, 1, 2, 3, 4), out(0),
		scratch(times(fixed(4), ofInput(0, axis(0)), filters)),
		where(inputIs(0, i8), scratch(times(fixed(4), ofInput(0, axis(0)), ofOutput(0, axis(1))))), sums)
}
