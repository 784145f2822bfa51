package kernels

import (
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// A demand is what a kernel asks the runtime for, in the order in which it asks.
type demand struct {
	// options are the operator's options as the runtime parses them, by ABI; all zero
	// where there are none.
	options [abis]block
	// init is kept from Init on, prepare is asked for in Prepare.
	init, prepare []ask
	// fromSource says that no runtime was seen to ask for this: it was read from the source.
	fromSource bool
	// unknown says why it is not known what an operator asks for; nil where it always is.
	unknown func(k *Kernel) string
	// unused returns the bytes of scratch that the kernel requests and does not use, and why; nil where
	// it uses all.
	unused func(k *Kernel) (bytes int64, why string)
}

// An ask is one thing a kernel asks for, or several.
type ask func(k *Kernel, a Asker)

// A size is a number of bytes that depends on the operator.
type size func(k *Kernel) int64

func (k *Kernel) ask(list []ask, a Asker) {
	for _, f := range list {
		f(k, a)
	}
}

// in and out take temporary tensors for inputs and outputs, as far as the operator has
// them, in this order.
//
//go:noinline
func in(places ...int) ask {
	return func(k *Kernel, a Asker) {
		for _, i := range places {
			if t := k.input(i); t != nil {
				a.Temporary(t)
			}
		}
	}
}

//go:noinline
func out(places ...int) ask {
	return func(k *Kernel, a Asker) {
		for _, i := range places {
			if t := k.output(i); t != nil {
				a.Temporary(t)
			}
		}
	}
}

// inputs takes temporary tensors for all inputs from a place on.
//
//go:noinline
func inputs(from int) ask {
	return func(k *Kernel, a Asker) {
		for i := from; i < len(k.op.Inputs); i++ {
			in(i)(k, a)
		}
	}
}

// reads says what the kernel still reads of the last temporary tensor.
func reads(part Part) ask { return func(_ *Kernel, a Asker) { a.Reads(part) } }

// all does one thing after another.
func all(list ...ask) ask { return func(k *Kernel, a Asker) { k.ask(list, a) } }

// where does it only where a condition holds.
//
//go:noinline
func where(holds func(k *Kernel) bool, list ...ask) ask {
	return func(k *Kernel, a Asker) {
		if holds(k) {
			k.ask(list, a)
		}
	}
}

// keep takes persistent memory, scratch a buffer for Eval.
func keep(n size) ask    { return func(k *Kernel, a Asker) { a.Keep(1, n(k)) } }
func scratch(n size) ask { return func(k *Kernel, a Asker) { a.Scratch(n(k)) } }

// keepEach takes persistent memory for each of a count.
func keepEach(count, n size) ask { return func(k *Kernel, a Asker) { a.Keep(count(k), n(k)) } }

// data is persistent memory of a fixed size, by the width of pointers.
func data(narrow, wide int64) ask { return keep(pick(narrow, wide)) }

func fixed(n int64) size { return func(*Kernel) int64 { return n } }

//go:noinline
func pick(narrow, wide int64) size {
	return func(k *Kernel) int64 { return k.abi.pick(narrow, wide) }
}

// sum and times combine sizes.
//
//go:noinline
func sum(list ...size) size {
	return func(k *Kernel) (n int64) {
		for _, f := range list {
			n = min(n+f(k), MaxSize)
		}
		return n
	}
}

//go:noinline
func times(list ...size) size {
	return func(k *Kernel) int64 {
		n := int64(1)
		for _, f := range list {
			n = product(n, f(k))
		}
		return n
	}
}

func over(a, b size) size {
	return func(k *Kernel) int64 {
		if d := b(k); d > 0 {
			return a(k) / d
		}
		return 0
	}
}

func larger(a, b size) size  { return func(k *Kernel) int64 { return max(a(k), b(k)) } }
func smaller(a, b size) size { return func(k *Kernel) int64 { return min(a(k), b(k)) } }

// pointers is a pointer for each of a count.
func pointers(count size) size { return times(pick(4, 8), count) }

// What sizes are made of.

func option(name string) size { return func(k *Kernel) int64 { return k.option(name) } }

//go:noinline
func ofInput(i int, f func(*tflite.Tensor) int64) size {
	return func(k *Kernel) int64 { return f(k.input(i)) }
}

//go:noinline
func ofOutput(i int, f func(*tflite.Tensor) int64) size {
	return func(k *Kernel) int64 { return f(k.output(i)) }
}

// axis is a dimension, counted from the end where it is negative.
//
//go:noinline
func axis(i int) func(*tflite.Tensor) int64 {
	return func(t *tflite.Tensor) int64 {
		if i < 0 && t != nil {
			return Dim(t, i+len(t.Shape))
		}
		return Dim(t, i)
	}
}

// elementBytes is the size of one element.
func elementBytes(t *tflite.Tensor) int64 { return ElementBits(typeOf(t)) / 8 }

// scalesOf is how many scales a tensor has.
func scalesOf(t *tflite.Tensor) int64 {
	if t == nil {
		return 0
	}
	return Scales(t)
}

// shapeOf is a copy of a tensor's shape: a count, and the dimensions.
func shapeOf(t *tflite.Tensor) int64 { return 4 + 4*rank(t) }

// What decides.

//go:noinline
func inputIs(i int, types ...schema.TensorType) func(*Kernel) bool {
	return func(k *Kernel) bool {
		for _, t := range types {
			if k.inputType(i) == t {
				return true
			}
		}
		return false
	}
}

//go:noinline
func not(holds func(*Kernel) bool) func(*Kernel) bool {
	return func(k *Kernel) bool { return !holds(k) }
}

//go:noinline
func both(a, b func(*Kernel) bool) func(*Kernel) bool {
	return func(k *Kernel) bool { return a(k) && b(k) }
}
