package kernels

import "github.com/tflarena/tflarena/schema"

// Short names of the types.
const (
	f32     = schema.TensorTypeFLOAT32
	i4      = schema.TensorTypeINT4
	i8      = schema.TensorTypeINT8
	u8      = schema.TensorTypeUINT8
	i16     = schema.TensorTypeINT16
	i32     = schema.TensorTypeINT32
	u32     = schema.TensorTypeUINT32
	i64     = schema.TensorTypeINT64
	u64     = schema.TensorTypeUINT64
	boolean = schema.TensorTypeBOOL
)

var (
	inOut   = []ask{in(0), out(0)}
	inInOut = []ask{in(0, 1), out(0)}
	ins     = []ask{in(0, 1)}
)

// same returns options with the same layout on all targets.
func same(bytes, align int64) [abis]block {
	b := block{bytes, align}
	return [abis]block{b, b, b}
}

// short returns options with enums, which are one byte each if enums are short.
func short(bytes, align, shortBytes, shortAlign int64) [abis]block {
	b := block{bytes, align}
	return [abis]block{ESP: b, ARM: {shortBytes, shortAlign}, Host64: b}
}

// requests is a kernel that keeps a struct of the same size on all targets; zero means none.
func requests(options [abis]block, init int64, prepare ...ask) *demand {
	d := &demand{options: options, prepare: prepare}
	if init > 0 {
		d.init = []ask{data(init, init)}
	}
	return d
}

var none [abis]block

var (
	channels   = times(fixed(4), ofInput(1, axis(0)))
	copyOfOut  = keep(ofOutput(0, shapeOf))
	eachScale  = times(fixed(4), ofInput(1, scalesOf))
	int4Filter = where(inputIs(1, i4), scratch(ofInput(1, Elements)))
	dims       = scratch(times(fixed(4), ofInput(0, rank)))
	axes       = scratch(times(fixed(4), ofInput(1, Elements)))
	mean       = []ask{
		in(0), out(0), in(1),
		where(inputIs(0, i8, i16), scratch(times(fixed(4), ofOutput(0, Elements)))), dims, axes,
		in(0, 1), where(inputIs(0, i8), out(0)),
	}
	extreme = []ask{in(0, 1), where(inputIs(0, i8), out(0)), in(0), out(0), in(1), dims, axes}
)
