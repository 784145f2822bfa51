package rules

import (
	"github.com/tflarena/tflarena/lifetime/rules/internal/diagonal"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite/op"
)

// The orders of library kernels for which runs of their code have shown the permitted
// distances. They apply to tensors of 8 bits.

// espOrders are the orders of ESP-NN in C, which iterates over the output as the reference
// kernels do.
var espOrders = map[schema.BuiltinOperator]kernelOrder{
	schema.BuiltinOperatorCONV_2D:           {ByElement, firstInput(bytesOnly(convolved))},
	schema.BuiltinOperatorDEPTHWISE_CONV_2D: {ByElement, firstInput(bytesOnly(convolvedByChannel))},
}

// armOrders are the orders of CMSIS-NN for cores without SIMD.
var armOrders = map[schema.BuiltinOperator]kernelOrder{
	schema.BuiltinOperatorCONV_2D:           {ByElement, firstInput(bytesOnly(convolvedByPixel))},
	schema.BuiltinOperatorDEPTHWISE_CONV_2D: {ByElement, firstInput(bytesOnly(convolvedByFour))},
	schema.BuiltinOperatorAVERAGE_POOL_2D:   {ByElement, bytesOnly(pooled)},
	schema.BuiltinOperatorMAX_POOL_2D:       {ByElement, bytesOnly(pooledByTap)},
}

// An orderFunc describes the accesses of a kernel to an input and an output.
type orderFunc = func(k *kernelLoops, input, output int) (diagonal.Nest, bool)

// bytesOnly restricts an order to 8-bit tensors, including the filter if there is one.
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

// convolvedByPixel is CONV_2D of CMSIS-NN: it copies the windows of two pixels, and then writes
// all their channels. With groups, the outermost loop is over the groups, and nothing may
// overlap; the same holds for 1x1 filters with stride 1, whose outermost loop is over pairs of
// channels. (arm_convolve_s8, arm_convolve_1x1_s8_fast)
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

// convolvedByRow is the variant for strided 1x1 filters: each output row is computed like a
// whole image otherwise. (arm_convolve_1x1_s8)
func (k *kernelLoops) convolvedByRow(w op.Window, in, out array) (diagonal.Nest, bool) {
	rows, ok := k.slid(w, 0, in, out)
	return diagonal.Nest{Loops: []diagonal.Loop{
		diagonal.Even(out.dim(0), out.stride(0), in.stride(0)), rows,
		diagonal.Even(out.stride(1)/out.width, out.width, 0),
	}, Unit: out.width}, ok
}

// convolvedByFour is DEPTHWISE_CONV_2D of CMSIS-NN. 3x3 filters are computed four channels at a
// time, and the remaining ones one by one; others as in the reference kernel.
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

// pooledByTap is MAX_POOL_2D of CMSIS-NN: it copies the first element of a window to the
// output, all channels at once, and then folds in the other elements one by one.
// (arm_max_pool_s8)
func pooledByTap(k *kernelLoops, input, output int) (diagonal.Nest, bool) {
	in, out, ok := k.pictures(input, output)
	if !ok {
		return diagonal.Nest{}, false
	}
	nest, ok := k.windowed(in, out, diagonal.Even(2, 0, in.stride(2)))
	nest.Unit = out.stride(2)
	return nest, ok
}
