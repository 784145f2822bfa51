package rules

import (
	"github.com/tflarena/tflarena/lifetime/rules/internal/diagonal"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite/op"
)

// The orders of the kernels of libraries, as far as runs of their code have shown how near an
// output may lie to its input. They are for tensors of 8 bits.

// espOrders are those of ESP-NN in C, which goes through the output as the reference kernels do.
var espOrders = map[schema.BuiltinOperator]kernelOrder{
	schema.BuiltinOperatorCONV_2D:           {ByElement, firstInput(bytesOnly(convolved))},
	schema.BuiltinOperatorDEPTHWISE_CONV_2D: {ByElement, firstInput(bytesOnly(convolvedByChannel))},
}

// armOrders are those of CMSIS-NN for cores without SIMD.
var armOrders = map[schema.BuiltinOperator]kernelOrder{
	schema.BuiltinOperatorCONV_2D:           {ByElement, firstInput(bytesOnly(convolvedByPixel))},
	schema.BuiltinOperatorDEPTHWISE_CONV_2D: {ByElement, firstInput(bytesOnly(convolvedByFour))},
	schema.BuiltinOperatorAVERAGE_POOL_2D:   {ByElement, bytesOnly(pooled)},
	schema.BuiltinOperatorMAX_POOL_2D:       {ByElement, bytesOnly(pooledByTap)},
}

// An orderFunc describes what a kernel does with an input and an output.
type orderFunc = func(k *kernelLoops, input, output int) (diagonal.Nest, bool)

// bytesOnly is an order that is known where tensors, and the filter if there is one, have 8 bits.
//
//go:noinline
func bytesOnly(loops orderFunc) orderFunc {
	return func(k *kernelLoops, input, output int) (diagonal.Nest, bool) {
		for i := range min(len(k.op.Inputs), 2) {
			if t := k.sub.Operand(k.op.Inputs, i); t == nil || t.Type != schema.TensorTypeINT8 {
				return diagonal.Nest{}, false
			}
		}
		return loops(k, input, output)
	}
}

// convolvedByPixel is CONV_2D of CMSIS-NN: it copies the windows of two pixels, and then writes all
// their channels. With groups, the outermost loop is over these, and nothing may overlap; so it is
// with filters of one pixel that move pixel by pixel, where two channels are the outermost.
// (arm_convolve_s8, arm_convolve_1x1_s8_fast)
func convolvedByPixel(k *kernelLoops, input, output int) (diagonal.Nest, bool) {
	in, out, ok := k.pictures(input, output)
	filter := k.sub.Operand(k.op.Inputs, 1)
	w, known := op.WindowOf(k.model, k.sub, k.op)
	one := [2]int64{1, 1}
	switch {
	case !ok || !known || filter == nil || len(filter.Shape) != 4 || int64(filter.Shape[3]) != in.dim(3):
		return diagonal.Nest{}, false
	case w.Kernel == one && w.Dilation == one && w.Stride == one:
		return diagonal.Nest{}, false
	case w.Kernel == one && w.Dilation == one:
		return k.convolvedByRow(w, in, out)
	}
	nest, ok := k.windowed(in, out)
	nest.Unit = out.stride(2)
	return nest, ok
}

// convolvedByRow is the same for filters of one pixel that leave out pixels: a row of the output is
// made like a whole picture otherwise. (arm_convolve_1x1_s8)
func (k *kernelLoops) convolvedByRow(w op.Window, in, out array) (diagonal.Nest, bool) {
	rows, ok := k.slid(w, 0, in, out)
	return diagonal.Nest{Loops: []diagonal.Loop{
		diagonal.Even(out.dim(0), out.stride(0), in.stride(0)), rows,
		diagonal.Even(out.stride(1)/out.width, out.width, 0),
	}, Unit: out.width}, ok
}

// convolvedByFour is DEPTHWISE_CONV_2D of CMSIS-NN. A picture with 3x3 elements goes four channels
// at a time, and what is left one by one; others as in the reference kernel.
// (arm_depthwise_conv_3x3_s8, arm_depthwise_conv_s8)
func convolvedByFour(k *kernelLoops, input, output int) (diagonal.Nest, bool) {
	const block = 4
	in, out, ok := k.pictures(input, output)
	if !ok {
		return diagonal.Nest{}, false
	}
	nest, ok := convolvedByChannel(k, input, output)
	if ok && out.dim(3) == in.dim(3) && in.dim(3)%block == 0 {
		nest, ok = k.windowed(in, out, diagonal.Even(in.dim(3)/block, block*out.width, block*in.width))
	}
	if out.dim(3) == in.dim(3) {
		nest.Unit = block * out.width
	}
	return nest, ok
}

// pooledByTap is MAX_POOL_2D of CMSIS-NN: it copies the first element of a window to the output, all
// channels at once, and takes in one other element after another. (arm_max_pool_s8)
func pooledByTap(k *kernelLoops, input, output int) (diagonal.Nest, bool) {
	in, out, ok := k.pictures(input, output)
	if !ok {
		return diagonal.Nest{}, false
	}
	nest, ok := k.windowed(in, out, diagonal.Even(2, 0, in.stride(2)))
	nest.Unit = out.stride(2)
	return nest, ok
}
