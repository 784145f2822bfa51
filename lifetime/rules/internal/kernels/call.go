package kernels

// A Call is a call of one of the library's own functions for the size of scratch, as the runtime's
// wrapper makes it. Shapes are batch, height, width and channels, pairs are height and width, in
// elements; what a function does not look at is 0.
type Call struct {
	// Function names it without what says for which core it is.
	Function                  string
	Input, Filter, Output     [4]int64
	Stride, Padding, Dilation [2]int64
	// Multiplier is how many output channels a depthwise convolution has for each input channel.
	Multiplier int64
	// More are bytes that the wrapper adds to the size. Always says that it requests scratch of 0
	// bytes, too.
	More   int64
	Always bool
}

// A Caller is an [Asker] that wants to know which function says how much scratch a kernel asks for. Call
// takes the place of [Asker.Scratch] for such a request, also where that is not made for want of bytes.
type Caller interface {
	Asker
	Call(c Call)
}

// by asks for scratch of a size that a function of the library returns.
func by(a Asker, c Call, bytes int64) {
	switch caller, ok := a.(Caller); {
	case ok:
		caller.Call(c)
	case bytes > 0 || c.Always:
		a.Scratch(bytes)
	}
}

// called asks for scratch of a size that a function of the library returns, given the input that has
// the data and the function's name, or "" for an operator for which it is not called.
//
//go:noinline
func called(data int, function func(k *Kernel) string, bytes size) ask {
	return func(k *Kernel, a Asker) {
		if name := function(k); name != "" {
			by(a, k.call(data, name), bytes(k))
		}
	}
}

// alwaysCalled is called where the request is made for 0 bytes, too.
func alwaysCalled(data int, function string, bytes size) ask {
	return func(k *Kernel, a Asker) {
		c := k.call(data, function)
		c.Always = true
		by(a, c, bytes(k))
	}
}

func function(name string) func(*Kernel) string { return func(*Kernel) string { return name } }

// call is a call of a function that looks at a window, given the input that has the data.
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
