package transform

import (
	"github.com/tflarena/tflarena/rewrite/edit"
	"github.com/tflarena/tflarena/schema"
)

// Fields of FullyConnectedOptions.
const (
	fullyConnectedActivation = 0
	fullyConnectedKeepDims   = 2
	fullyConnectedBias       = 4
)

// Fields that the options of all operators with a window have.
const (
	windowPadding = 0
	windowStrideW = 1
	windowStrideH = 2
)

// windowOf returns the options of a window.
func windowOf(padding schema.Padding, width, height int64) []edit.Option {
	return []edit.Option{{Field: windowPadding, Value: int64(padding)}, {Field: windowStrideW, Value: width}, {Field: windowStrideH, Value: height}}
}

// Fields of Conv2DOptions.
const (
	convActivation = 3
	convDilationW  = 4
	convDilationH  = 5
	convBias       = 6
)

// Fields of DepthwiseConv2DOptions.
const (
	depthwiseMultiplier = 3
	depthwiseActivation = 4
	depthwiseDilationW  = 5
	depthwiseDilationH  = 6
)

// Fields of TransposeConvOptions.
const (
	transposeConvActivation = 3
	transposeConvBias       = 4
)

// Fields of Pool2DOptions and of ReducerOptions.
const (
	poolWidth       = 3
	poolHeight      = 4
	reducerKeepDims = 0
)
