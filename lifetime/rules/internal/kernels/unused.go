package kernels

// Unused returns the bytes of scratch that the kernel requests for an operator but does not
// use, and the reason; 0 and "" if it uses all.
func (k *Kernel) Unused() (bytes int64, reason string) {
	if k.demand.unused == nil {
		return 0, ""
	}
	if bytes, reason = k.demand.unused(k); bytes <= 0 {
		return 0, ""
	}
	return bytes, reason
}

// wasting returns a demand with a function for unused requests.
func (d demand) wasting(unused func(k *Kernel) (int64, string)) demand {
	d.unused = unused
	return d
}

// unusedConvolution is the unused scratch of CMSIS-NN's CONV_2D. (tflite-micro 90b983c,
// kernels/cmsis_nn/conv.cc)
func (b armBuild) unusedConvolution(k *Kernel) (int64, string) {
	if k.inputType(0) != i16 {
		return 0, ""
	}
	return b.convolution(k), "it looks for the type of its bias among its outputs"
}

// unused is the unused scratch of ESP-NN's convolutions if the reference kernel does their
// work. (esp-tflite-micro 99f49e1, kernels/esp_nn)
func (b espBuild) unused(k *Kernel, bytes int64) (int64, string) {
	g := k.geometry(0)
	if k.inputType(0) != i8 || k.inputType(1) != i4 && !g.dilated() {
		return 0, ""
	}
	return bytes, "weights of 4 bits and dilations are computed by the reference kernel"
}

func (b espBuild) unusedConvolution(k *Kernel) (int64, string) {
	return b.unused(k, windowed(0, b.convolution)(k))
}

func (b espBuild) unusedDepthwise(k *Kernel) (int64, string) {
	return b.unused(k, windowed(0, b.depthwise)(k))
}
