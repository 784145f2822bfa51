package models

import "github.com/tflarena/tflarena/schema"

// A window describes how a convolution or a pool slides over an image, and its fused
// activation.
type window struct {
	height, width    int32
	stride, dilation int32
	padding          schema.Padding
	activation       schema.ActivationFunctionType
}

// same returns a window with SAME padding.
func same(height, width int32) window {
	return window{height: height, width: width, stride: 1, dilation: 1, padding: schema.PaddingSAME}
}

// valid returns a window with VALID padding.
func valid(height, width int32) window {
	w := same(height, width)
	w.padding = schema.PaddingVALID
	return w
}

func (w window) by(stride int32) window {
	w.stride = stride
	return w
}

func (w window) dilated(rate int32) window {
	w.dilation = rate
	return w
}

func (w window) relu() window {
	w.activation = schema.ActivationFunctionTypeRELU
	return w
}

func (w window) relu6() window {
	w.activation = schema.ActivationFunctionTypeRELU6
	return w
}

// over returns the height and width of the output; they are below one if the window does not
// fit into the image.
func (w window) over(height, width int32) (int32, int32) {
	return w.steps(height, w.height), w.steps(width, w.width)
}

func (w window) steps(size, kernel int32) int32 {
	if w.padding == schema.PaddingSAME {
		return (size + w.stride - 1) / w.stride
	}
	reach := (kernel-1)*w.dilation + 1
	if size < reach {
		return 0
	}
	return (size-reach)/w.stride + 1
}
