package rules

import (
	"github.com/tflarena/tflarena/lifetime/rules/internal/diagonal"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite/op"
)

// The orders of library kernels that are known only from their source: no run has confirmed the
// permitted distances. Only [UnmeasuredAlias] uses them. They apply to tensors of 8 bits. If a
// kernel has several paths, the order here is at least as conservative as each of them.

// armRead are the orders of CMSIS-NN that are the same on all cores. (arm_svdf_s8 and
// arm_softmax_s8.)
var armRead = map[schema.BuiltinOperator]kernelOrder{
	schema.BuiltinOperatorSVDF:    {AtEnd, firstInput(bytesOnly(readWhole))},
	schema.BuiltinOperatorSOFTMAX: {ByElement, bytesOnly(rowsAlike)},
}

// armReadDSP are the orders of CMSIS-NN for cores with the DSP extension. They are the same as
// without it, except that DEPTHWISE_CONV_2D and AVERAGE_POOL_2D first copy the windows of a
// pixel, which does not increase the distances.
var armReadDSP = with(armRead, armOrders)

// armReadMVE are the orders of CMSIS-NN for cores with Helium. (arm_convolve_1x1_s8_fast and
// those below.)
var armReadMVE = with(armRead, map[schema.BuiltinOperator]kernelOrder{
	schema.BuiltinOperatorCONV_2D:           {ByElement, firstInput(bytesOnly(inBlocks(4, convolvedByHelium)))},
	schema.BuiltinOperatorDEPTHWISE_CONV_2D: {ByElement, firstInput(bytesOnly(convolvedInBlocks))},
	schema.BuiltinOperatorAVERAGE_POOL_2D:   {ByElement, bytesOnly(pooled)},
	schema.BuiltinOperatorMAX_POOL_2D:       {ByElement, bytesOnly(pooledByTap)},
})

// espRead are the orders of ESP-NN that are the same on all chips, and in C.
var espRead = map[schema.BuiltinOperator]kernelOrder{
	schema.BuiltinOperatorFULLY_CONNECTED: {ByElement, firstInput(bytesOnly(connected))},
	schema.BuiltinOperatorAVERAGE_POOL_2D: {ByElement, bytesOnly(pooledByPixel)},
	schema.BuiltinOperatorMAX_POOL_2D:     {ByElement, bytesOnly(pooledByPixel)},
	schema.BuiltinOperatorSOFTMAX:         {ByElement, bytesOnly(rowsAlike)},
}

// espReadVectors are the orders of ESP-NN in assembler. 1x1 filters process eight pixels at a
// time on the ESP32-S3, and sixteen on the ESP32-P4. Paths that copy the input first need no
// distance; the choice of the path depends on more than the model.
var espReadVectors = with(espRead, map[schema.BuiltinOperator]kernelOrder{
	schema.BuiltinOperatorCONV_2D:           {ByElement, firstInput(bytesOnly(inBlocks(16, convolved)))},
	schema.BuiltinOperatorDEPTHWISE_CONV_2D: {ByElement, firstInput(bytesOnly(convolvedByChannel))},
	schema.BuiltinOperatorADD:               {ByElement, bytesOnly(chosen)},
	schema.BuiltinOperatorMUL:               {ByElement, bytesOnly(chosen)},
})

// with returns the union of two tables.
func with(a, b map[schema.BuiltinOperator]kernelOrder) map[schema.BuiltinOperator]kernelOrder {
	all := map[schema.BuiltinOperator]kernelOrder{}
	for _, list := range []map[schema.BuiltinOperator]kernelOrder{a, b} {
		for code, order := range list {
			all[code] = order
		}
	}
	return all
}

// readWhole is a kernel that collects its results in scratch and writes them after all reads.
func readWhole(k *kernelLoops, input, output int) (diagonal.Nest, bool) {
	_, _, ok := k.like(input, output)
	return diagonal.Nest{}, ok
}

// rowsAlike is [inRows] with equal input and output types.
func rowsAlike(k *kernelLoops, input, output int) (diagonal.Nest, bool) {
	if _, _, ok := k.like(input, output); !ok {
		return diagonal.Nest{}, false
	}
	return inRows(k, input, output)
}

// inBlocks is a CONV_2D whose 1x1 filters with stride 1 process size pixels at a time. others
// is the order for all other filters.
func inBlocks(size int64, others orderFunc) orderFunc {
	return func(k *kernelLoops, input, output int) (diagonal.Nest, bool) {
		in, out, ok := k.pictures(input, output)
		w, known := op.WindowOf(k.model, k.sub, k.op)
		if one := [2]int64{1, 1}; ok && known && w.Kernel == one && w.Stride == one && w.Dilation == one {
			return k.blocks(size, in, out)
		}
		return others(k, input, output)
	}
}

// convolvedByHelium is CONV_2D of CMSIS-NN on cores with Helium, for filters larger than 1x1.
// It is convolvedByPixel, except that filters of one row have no known order: their middle part
// reads the input without a copy. (arm_convolve_1_x_n_s8)
func convolvedByHelium(k *kernelLoops, input, output int) (diagonal.Nest, bool) {
	in, _, ok := k.pictures(input, output)
	w, known := op.WindowOf(k.model, k.sub, k.op)
	if !ok || !known || w.Kernel[0] == 1 && w.Kernel[1] > 1 && in.dim(1) == 1 {
		return diagonal.Nest{}, false
	}
	return convolvedByPixel(k, input, output)
}

// blocks is a kernel with a 1x1 filter that reads size pixels until it has written all of their
// channels. All pixels of all images form one row.
func (k *kernelLoops) blocks(size int64, in, out array) (diagonal.Nest, bool) {
	filter := k.sub.Operand(k.op.Inputs, 1)
	pixels := out.stride(-1) / out.stride(2)
	if filter == nil || len(filter.Shape) != 4 || int64(filter.Shape[3]) != in.dim(3) || in.stride(-1)/in.stride(2) != pixels {
		return diagonal.Nest{}, false
	}
	size = min(size, pixels)
	return diagonal.Nest{Loops: []diagonal.Loop{
		diagonal.Even((pixels+size-1)/size, size*out.stride(2), size*in.stride(2)),
		diagonal.Even(2, 0, 0), // the first writes, and the reads until the last write
	}, Unit: size * out.stride(2)}, true
}

// convolvedInBlocks is DEPTHWISE_CONV_2D of CMSIS-NN on cores with Helium, which copies the
// windows of four pixels. Beyond 124 channels, the outermost loop is over blocks of 124, and
// nothing may overlap. (arm_depthwise_conv_s8_opt, arm_depthwise_conv_s8)
func convolvedInBlocks(k *kernelLoops, input, output int) (diagonal.Nest, bool) {
	const channels = 124
	in, _, ok := k.pictures(input, output)
	if !ok || in.dim(3) > channels {
		return diagonal.Nest{}, false
	}
	return convolvedByChannel(k, input, output)
}

// pooledByPixel is a pool with a known order of pixels only: a window is read until all
// channels of its pixel have been written.
func pooledByPixel(k *kernelLoops, input, output int) (diagonal.Nest, bool) {
	in, out, ok := k.pictures(input, output)
	if !ok {
		return diagonal.Nest{}, false
	}
	nest, ok := k.windowed(in, out, diagonal.Even(2, 0, 0))
	nest.Unit = out.stride(2)
	return nest, ok
}
