package kernels

// A Fault is what a kernel library gets wrong with an operator.
type Fault struct {
	// Consequence says what comes of it, as the end of a sentence about the operator. It has
	// one %s, for Bytes, unless that is zero.
	Consequence string
	Bytes       int64
	// Stops says that the first run of the model fails.
	Stops bool
}

// Fault returns what the library gets wrong with the operator: the zero value where nothing is known
// to be wrong.
func (k *Kernel) Fault() Fault {
	if k.demand.fault == nil {
		return Fault{}
	}
	return k.demand.fault(k)
}

// bySource ends what nobody has seen a kernel do.
const bySource = " (known only from its source)"

// faulty returns a demand with what its kernel gets wrong.
func (d demand) faulty(fault func(k *Kernel) Fault) demand {
	d.fault = fault
	return d
}

// behind is the fault of a kernel that writes so many bytes behind its scratch, none where that
// is not more than zero.
func behind(bytes int64, why string) Fault {
	if bytes <= 0 {
		return Fault{}
	}
	return Fault{Consequence: "writes %s behind its scratch, over whatever lies there: " + why, Bytes: bytes}
}

// convolutionFault is that of CMSIS-NN's CONV_2D. (tflite-micro 90b983c, kernels/cmsis_nn/conv.cc)
func (b armBuild) convolutionFault(k *Kernel) Fault {
	g, wide := k.geometry(0), k.inputType(0) == i16
	switch {
	case !wide && (k.inputType(0) != i8 || k.inputType(1) != i4):
	case g.depth > 0 && g.depth != g.inChannels:
		return Fault{Consequence: "does not compute what the model says, because its kernel does not support groups" + bySource}
	case wide && b.convolution(k) > 0:
		return Fault{
			Consequence: "asks for %s of scratch whatever the type of its bias is, because it looks for the bias among its outputs",
			Bytes:       b.convolution(k),
		}
	}
	return Fault{}
}

// transposedFault is that of TRANSPOSE_CONV: the size is computed with the vertical stride where the
// kernel takes the horizontal one.
func (b armBuild) transposedFault(k *Kernel) Fault {
	g := k.geometry(2)
	if k.inputType(2) != i8 || g.asConvolution() {
		return Fault{}
	}
	needed := product(4, g.outChannels, product(g.in[1]-1, g.stride[1])+max(g.filter[1], g.stride[1]), max(g.filter[0], g.stride[0]))
	return behind(needed-b.transposedSums(k), "its size takes the vertical stride for the horizontal one"+bySource)
}

// svdfFault is that of SVDF: Eval wants scratch that Prepare has not asked for.
func (b armBuild) svdfFault(k *Kernel) Fault {
	const state = 4
	if !b.small || b.core == mve || k.inputType(0) != i8 || k.inputType(state) != i8 {
		return Fault{}
	}
	return Fault{Consequence: "looks for scratch that this build has not asked for", Stops: true}
}

// exponentsFault is that of ESP-NN's SOFTMAX. (esp-tflite-micro 99f49e1, kernels/esp_nn/softmax.cc)
func exponentsFault(k *Kernel) Fault {
	x := k.input(0)
	switch {
	case x == nil || x.Type != i8 || typeOf(k.output(0)) != i8:
		return Fault{}
	case len(x.Shape) == 1:
		return Fault{Consequence: "reads dimension 1 of a tensor that has no dimension 1, so the scratch that it asks for is a matter of chance"}
	}
	return behind(4*(Dim(x, len(x.Shape)-1)-Dim(x, 1)), "it asks for room for dimension 1 of its input, and needs room for the last dimension")
}

// idle is the fault of a convolution of ESP-NN that asks for scratch although the reference kernel
// does its work.
func (b espBuild) idle(k *Kernel, bytes int64, grouped bool) Fault {
	g := k.geometry(0)
	if bytes <= 0 || k.inputType(0) != i8 || k.inputType(1) != i4 && !g.dilated() && !grouped {
		return Fault{}
	}
	return Fault{Consequence: "asks for %s of scratch that it does not use: for weights of 4 bits, dilations and groups, plain kernels do its work", Bytes: bytes}
}

func (b espBuild) convolutionFault(k *Kernel) Fault {
	g := k.geometry(0)
	return b.idle(k, windowed(0, b.convolution)(k), g.depth > 0 && g.depth != g.inChannels)
}

// depthwiseFault is that of DEPTHWISE_CONV_2D: with a padding other than of 0 or of 1 on all sides,
// a kernel runs that needs room for its output, too. (esp_nn_depthwise_conv_s8_esp32s3)
func (b espBuild) depthwiseFault(k *Kernel) Fault {
	bytes := windowed(0, b.depthwise)(k)
	if f := b.idle(k, bytes, false); f.Consequence != "" || bytes == 0 || k.inputType(0) != i8 {
		return f
	}
	g := k.geometry(0)
	small := g.filter == [2]int64{3, 3} && g.outChannels == g.inChannels && g.inChannels%16 == 0
	if !small || !g.padded() || g.padding == [2]int64{1, 1} {
		return Fault{}
	}
	return behind(product(g.out[0], g.out[1], g.outChannels), "its size leaves out a copy of the output"+bySource)
}
