package rules

import (
	"github.com/tflarena/tflarena/lifetime/rules/internal/diagonal"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite/op"
)

// The orders of the kernels of libraries that are known from their source alone: nobody has run
// them to see how near an output may lie to its input. Only [UnmeasuredAlias] uses them. They are for
// tensors of 8 bits. Where a kernel takes several paths, the order here is one that is at least as
// careful as each of them.

// armRead are those of CMSIS-NN that are the same on all cores. (arm_svdf_s8 and arm_softmax_s8.)
var armRead = map[schema.BuiltinOperator]kernelOrder{
	schema.BuiltinOperatorSVDF:    {AtEnd, firstInput(bytesOnly(readWhole))},
	schema.BuiltinOperatorSOFTMAX: {ByElement, bytesOnly(rowsAlike)},
}

// armReadDSP are those of CMSIS-NN for cores with the DSP extension. They are those of cores without
// it, but that DEPTHWISE_CONV_2D and AVERAGE_POOL_2D copy the windows of a pixel first, which needs no
// larger distances.
var armReadDSP = with(armRead, armOrders)

// armReadMVE are those of CMSIS-NN for cores with Helium. (arm_convolve_1x1_s8_fast and those below.)
var armReadMVE = with(armRead, map[schema.BuiltinOperator]kernelOrder{
	schema.BuiltinOperatorCONV_2D:           {ByElement, firstInput(bytesOnly(inBlocks(4, convolvedByHelium)))},
	schema.BuiltinOperatorDEPTHWISE_CONV_2D: {ByElement, firstInput(bytesOnly(convolvedInBlocks))},
	schema.BuiltinOperatorAVERAGE_POOL_2D:   {ByElement, bytesOnly(pooled)},
	schema.BuiltinOperatorMAX_POOL_2D:       {ByElement, bytesOnly(pooledByTap)},
})

// espRead are those of ESP-NN that are the same on all chips, and in C.
var espRead = map[schema.BuiltinOperator]kernelOrder{
	schema.BuiltinOperatorFULLY_CONNECTED: {ByElement, firstInput(bytesOnly(connected))},
	schema.BuiltinOperatorAVERAGE_POOL_2D: {ByElement, bytesOnly(pooledByPixel)},
	schema.BuiltinOperatorMAX_POOL_2D:     {ByElement, bytesOnly(pooledByPixel)},
	schema.BuiltinOperatorSOFTMAX:         {ByElement, bytesOnly(rowsAlike)},
}

// espReadVectors are those of ESP-NN in assembler. Filters of one pixel go eight pixels at a time on the
// ESP32-S3, and sixteen on the ESP32-P4. Paths that copy the input first need no distance at all; which
// path is taken depends on more than the model says.
var espReadVectors = with(espRead, map[schema.BuiltinOperator]kernelOrder{
	schema.BuiltinOperatorCONV_2D:           {ByElement, firstInput(bytesOnly(inBlocks(16, convolved)))},
	schema.BuiltinOperatorDEPTHWISE_CONV_2D: {ByElement, firstInput(bytesOnly(convolvedByChannel))},
	schema.BuiltinOperatorADD:               {ByElement, bytesOnly(chosen)},
	schema.BuiltinOperatorMUL:               {ByElement, bytesOnly(chosen)},
})

// with returns the orders of both.
func with(a, b map[schema.BuiltinOperator]kernelOrder) map[schema.BuiltinOperator]kernelOrder {
	all := map[schema.BuiltinOperator]kernelOrder{}
	for _, list := range []map[schema.BuiltinOperator]kernelOrder{a, b} {
		for code, order := range list {
			all[code] = order
		}
	}
	return all
}

// readWhole is a kernel that collects its results in scratch, and writes them when it has read all.
func readWhole(k *kernelLoops, input, output int) (diagonal.Nest, bool) {
	_, _, ok := k.like(input, output)
	return diagonal.Nest{}, ok
}

// rowsAlike is [inRows] from one type to the same one.
func rowsAlike(k *kernelLoops, input, output int) (diagonal.Nest, bool) {
	if _, _, ok := k.like(input, output); !ok {
		return diagonal.Nest{}, false
	}
	return inRows(k, input, output)
}

// inBlocks is a CONV_2D whose filters of one pixel that leave out none go so many pixels at a time. All
// other filters have an order of their own.
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

// convolvedByHelium is CONV_2D of CMSIS-NN on cores with Helium, for filters of several pixels. It is
// convolvedByPixel, but that filters of one row are not known here: their middle part reads the input
// without a copy. (arm_convolve_1_x_n_s8)
func convolvedByHelium(k *kernelLoops, input, output int) (diagonal.Nest, bool) {
	in, _, ok := k.pictures(input, output)
	w, known := op.WindowOf(k.model, k.sub, k.op)
	if !ok || !known || w.Kernel[0] == 1 && w.Kernel[1] > 1 && in.dim(1) == 1 {
		return diagonal.Nest{}, false
	}
	return convolvedByPixel(k, input, output)
}

// blocks is a kernel with a filter of one pixel that reads so many pixels until it has written all of
// their channels. All pixels of all pictures are one row.
func (k *kernelLoops) blocks(size int64, in, out array) (diagonal.Nest, bool) {
	filter := k.sub.Operand(k.op.Inputs, 1)
	pixels := out.stride(-1) / out.stride(2)
	if filter == nil || len(filter.Shape) != 4 || int64(filter.Shape[3]) != in.dim(3) || in.stride(-1)/in.stride(2) != pixels {
		return diagonal.Nest{}, false
	}
	size = min(size, pixels)
	return diagonal.Nest{Loops: []diagonal.Loop{
		diagonal.Even((pixels+size-1)/size, size*out.stride(2), size*in.stride(2)),
		diagonal.Even(2, 0, 0), // what is written first, and what is read until the last has been written
	}, Unit: size * out.stride(2)}, true
}

// convolvedInBlocks is DEPTHWISE_CONV_2D of CMSIS-NN on cores with Helium, which copies the windows of
// four pixels. Beyond 124 channels, blocks of these are the outermost loop, and nothing may overlap.
// (arm_depthwise_conv_s8_opt, arm_depthwise_conv_s8)
func convolvedInBlocks(k *kernelLoops, input, output int) (diagonal.Nest, bool) {
	const channels = 124
	in, _, ok := k.pictures(input, output)
	if !ok || in.dim(3) > channels {
		return diagonal.Nest{}, false
	}
	return convolvedByChannel(k, input, output)
}

// pooledByPixel is a pool of which only the order of the pixels is known: a window is read until all
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
