package kernels

// A Call is a call of a library function that returns a scratch size, as made by the runtime's
// wrapper. Shapes are batch, height, width and channels, pairs are height and width, in
// elements; ignored operands are 0.
type Call struct {
	// Function is its name without the suffix for a core.
	Function                  string
	Input, Filter, Output     [4]int64
	Stride, Padding, Dilation [2]int64
	// Multiplier is the number of output channels of a depthwise convolution per input channel.
	Multiplier int64
	// More is the number of bytes that the wrapper adds to the size. Always means that it also
	// requests scratch of 0 bytes.
	More   int64
	Always bool
}

// A Caller is an [Asker] that needs the functions which compute scratch sizes. Call replaces
// [Asker.Scratch] for such a request, even if a size of 0 suppresses the request.
type Caller interface {
	Asker
	Call(c Call)
}

// by requests scratch of a size computed by a library function.
func by(a Asker, c Call, bytes int64) {
	switch caller, ok := a.(Caller); {
	case ok:
		caller.Call(c)
	case bytes > 0 || c.Always:
		a.Scratch(bytes)
	}
}

// called requests scratch of a size computed by a library function, given the data input and
// the function's name, or "" for an operator that does not call it.
//
//go:noinline
func called(data int, function func(k *Kernel) string, bytes size) ask {
	return func(k *Kernel, a Asker) {
		if name := function(k); name != "" {
			by(a, k.call(data, name), bytes(k))
		}
	}
}

// alwaysCalled is called for requests that are also made for 0 bytes.
func alwaysCalled(data int, function string, bytes size) ask {
	return func(k *Kernel, a Asker) {
		c := k.call(data, function)
		c.Always = true
		by(a, c, bytes(k))
	}
}

func function(name string) func(*Kernel) string { return func(*Kernel) string { return name } }

// call is a call of a function that reads a window, given the data input.
func (k *Kernel) call(data int, function string) Call {
	g := k.geometry(data)
	return Call{
		Function: function,
		Input:    [4]int64{g.batch, g.in[0], g.in[1], g.inChannels},
		Filter:   [4]int64{g.outChannels, g.filter[0], g.filter[1], g.depth},
		Output:   [4]int64{g.batch, g.out[0], g.out[1], g.outChannels},
		Stride:   g.stride, Padding: g.padding, Dilation: g.dilation,
		Multiplier: g.multiplier(),
	}
}
