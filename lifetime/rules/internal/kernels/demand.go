package kernels

import (
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// A demand is the list of a kernel's requests, in order.
type demand struct {
	// options is the size of the operator's parsed options, by ABI; all zero without options.
	options [abis]block
	// init is allocated persistently in Init, prepare is requested in Prepare.
	init, prepare []ask
	// fromSource reports that the requests were read from the source and not observed in a run.
	fromSource bool
	// unknown returns the reason why an operator's requests are unknown; nil if they are always
	// known.
	unknown func(k *Kernel) string
	// unused returns the requested but unused bytes of scratch, and the reason; nil if all are
	// used.
	unused func(k *Kernel) (bytes int64, why string)
}

// An ask is one or several requests of a kernel.
type ask func(k *Kernel, a Asker)

// A size is a number of bytes that depends on the operator.
type size func(k *Kernel) int64

func (k *Kernel) ask(list []ask, a Asker) {
	for _, f := range list {
		f(k, a)
	}
}

// in and out request temporary tensors for present inputs and outputs, in this order.
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

// inputs requests temporary tensors for all inputs from a position on.
//
//go:noinline
func inputs(from int) ask {
	return func(k *Kernel, a Asker) {
		for i := from; i < len(k.op.Inputs); i++ {
			in(i)(k, a)
		}
	}
}

// reads sets the part of the last temporary tensor that the kernel still reads.
func reads(part Part) ask { return func(_ *Kernel, a Asker) { a.Reads(part) } }

// all combines requests in order.
func all(list ...ask) ask { return func(k *Kernel, a Asker) { k.ask(list, a) } }

// where guards requests with a condition.
//
//go:noinline
func where(holds func(k *Kernel) bool, list ...ask) ask {
	return func(k *Kernel, a Asker) {
		if holds(k) {
			k.ask(list, a)
		}
	}
}

// keep requests persistent memory, scratch a buffer for Eval.
//
//go:noinline
func keep(n size) ask { return func(k *Kernel, a Asker) { a.Keep(1, n(k)) } }

//go:noinline
func scratch(n size) ask { return func(k *Kernel, a Asker) { a.Scratch(n(k)) } }

// keepEach requests count blocks of persistent memory.
func keepEach(count, n size) ask { return func(k *Kernel, a Asker) { a.Keep(count(k), n(k)) } }

// data is persistent memory of a fixed size, by pointer width.
func data(narrow, wide int64) ask { return keep(pick(narrow, wide)) }

//go:noinline
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

// pointers is the size of count pointers.
func pointers(count size) size { return times(pick(4, 8), count) }

// Terms of sizes.

func option(name string) size { return func(k *Kernel) int64 { return k.option(name) } }

//go:noinline
func ofInput(i int, f func(*tflite.Tensor) int64) size {
	return func(k *Kernel) int64 { return f(k.input(i)) }
}

//go:noinline
func ofOutput(i int, f func(*tflite.Tensor) int64) size {
	return func(k *Kernel) int64 { return f(k.output(i)) }
}

// axis is a dimension, counted from the end if negative.
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

// elementBytes is the size of one element, in bytes.
func elementBytes(t *tflite.Tensor) int64 { return ElementBits(typeOf(t)) / 8 }

// scalesOf is the number of scales of a tensor.
func scalesOf(t *tflite.Tensor) int64 {
	if t == nil {
		return 0
	}
	return Scales(t)
}

// shapeOf is the size of a copy of a tensor's shape: a count, and the dimensions.
func shapeOf(t *tflite.Tensor) int64 { return 4 + 4*rank(t) }

// Conditions.

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

// wasting returns a demand with a function for unused requests.
func (d *demand) wasting(unused func(k *Kernel) (int64, string)) *demand {
	d.unused = unused
	return d
}
