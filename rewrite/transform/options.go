package transform

// Fields of FullyConnectedOptions.
const (
	fullyConnectedActivation = 0
	fullyConnectedKeepDims   = 2
)

// Fields that the options of all operators with a window have.
const (
	windowPadding = 0
	windowStrideW = 1
	windowStrideH = 2
)

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

// Fields of Pool2DOptions and of ReducerOptions.
const (
	poolWidth       = 3
	poolHeight      = 4
	reducerKeepDims = 0
)
