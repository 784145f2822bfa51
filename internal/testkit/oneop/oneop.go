package oneop

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	flatbuffers "github.com/google/flatbuffers/go"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// Runs is the number of times that a model runs.
const Runs = 2

// A Case is a model of one operator and its inputs.
type Case struct {
	// Operator is the name of the operator.
	Operator string
	// Types are the types of the operator's inputs and outputs, "int8 int8 int32 > int8",
	// with "-" for an absent operand.
	Types string
	// Spoilt describes the change of a converter's model, "" for none.
	Spoilt string
	// Computed reports that a parameter such as an axis is computed at run time, or that random numbers
	// include some that kernels reject.
	Computed bool
	// Model is the file.
	Model []byte
	// Inputs holds the bytes of each input of the model for each run.
	Inputs [Runs][][]byte
	// Outputs is the number of the model's outputs.
	Outputs int
	// Twin is an equivalent model that LiteRT accepts, nil if that is Model.
	Twin []byte
	// Alone is the reason why LiteRT's outputs are no reference, "" if they are.
	Alone string
	// Default reports that LiteRT's default kernels are the reference: it has no reference kernel, or a
	// wrong one.
	Default bool
}

// Draw returns the case of a seed.
func Draw(seed, index uint64) Case {
	r := rand.New(rand.NewPCG(seed, index))
	d := &drawn{Rand: r, values: map[int]values{}}
	k := kinds[pick(r)]
	d.op.Builtin = k.code
	k.draw(d)
	c := Case{Operator: k.code.String()}
	if d.op.Custom != "" {
		c.Operator = d.op.Custom
	}
	if d.chance(8) {
		c.Spoilt = d.spoil()
	}
	for i, t := range d.sub.Tensors {
		if d.held[i] {
			d.model.Buffers = append(d.model.Buffers, encode.Buffer{Data: d.data(i)})
			d.sub.Tensors[i].Buffer = len(d.model.Buffers)
		} else if slices.Contains(d.op.Inputs, i) && !t.Variable && !slices.Contains(d.sub.Inputs, i) {
			d.sub.Inputs = append(d.sub.Inputs, i)
		}
	}
	d.sub.Operators = []encode.Operator{d.op}
	d.model.Subgraphs = append([]encode.Subgraph{d.sub}, d.called...)
	c.Model = encode.Encode(d.model)
	c.Twin, c.Alone, c.Default = d.twin(), d.alone(), d.byDefault()
	for run := range c.Inputs {
		for _, i := range d.sub.Inputs {
			c.Inputs[run] = append(c.Inputs[run], d.data(i))
		}
	}
	c.Types, c.Outputs, c.Computed = d.types(), len(d.sub.Outputs), d.computed
	return c
}

// twin returns the model with a bias of zeros for a CONV_2D without one, which LiteRT rejects.
func (d *drawn) twin() []byte {
	if d.op.Builtin != schema.BuiltinOperatorCONV_2D || len(d.op.Inputs) < 2 || slices.Index(d.op.Inputs[:2], -1) >= 0 || len(d.op.Inputs) == 3 && d.op.Inputs[2] >= 0 {
		return nil
	}
	m, s, o := d.model, d.sub, d.op
	x, f := s.Tensors[o.Inputs[0]], s.Tensors[o.Inputs[1]]
	if len(f.Shape) == 0 {
		return nil
	}
	bias := encode.Tensor{Name: "bias", Type: map[schema.TensorType]schema.TensorType{f32: f32, i16: i64}[x.Type], Shape: f.Shape[:1]}
	width := map[schema.TensorType]int{f32: 4, i16: 8}[x.Type]
	if width == 0 {
		bias.Type, width = i32, 4
	}
	if len(x.Quantization.Scales) > 0 {
		for _, scale := range f.Quantization.Scales {
			bias.Quantization.Scales = append(bias.Quantization.Scales, x.Quantization.Scales[0]*scale)
			bias.Quantization.Zeros = append(bias.Quantization.Zeros, 0)
		}
	}
	m.Buffers = append(slices.Clone(m.Buffers), encode.Buffer{Data: make([]byte, size(bias.Shape)*width)})
	bias.Buffer = len(m.Buffers)
	s.Tensors = append(slices.Clone(s.Tensors), bias)
	o.Inputs = []int{o.Inputs[0], o.Inputs[1], len(s.Tensors) - 1}
	s.Operators = []encode.Operator{o}
	m.Subgraphs = []encode.Subgraph{s}
	return encode.Encode(m)
}

// alone returns the reason why LiteRT's outputs are no reference.
func (d *drawn) alone() string {
	has := func(i int, t schema.TensorType) bool {
		return i < len(d.op.Inputs) && d.op.Inputs[i] >= 0 && d.sub.Tensors[d.op.Inputs[i]].Type == t
	}
	switch {
	case d.op.Builtin == schema.BuiltinOperatorSVDF && has(4, i8):
		return "LiteRT reads a state of INT8 as INT16"
	case has(0, i16) && has(2, i32) && !d.shortBias && (d.op.Builtin == schema.BuiltinOperatorCONV_2D || d.op.Builtin == schema.BuiltinOperatorFULLY_CONNECTED):
		return "LiteRT reads a bias of INT32 as INT64 where the options do not tell its type"
	case d.op.Builtin == schema.BuiltinOperatorRSQRT && has(0, i16):
		return "LiteRT interpolates a table, up to 100 steps off what TensorFlow Lite Micro computes"
	}
	return ""
}

// byDefault reports whether LiteRT's reference kernels are unusable: they lack ELU, ROUND and CEIL, and
// compute another SUM of integers than its default kernels and arithmetic do.
func (d *drawn) byDefault() bool {
	switch d.op.Builtin {
	case schema.BuiltinOperatorELU, schema.BuiltinOperatorROUND, schema.BuiltinOperatorCEIL:
		return true
	case schema.BuiltinOperatorSUM:
		return d.op.Inputs[0] >= 0 && d.sub.Tensors[d.op.Inputs[0]].Type != f32
	}
	return false
}

// A kind is an operator of the survey and a function that draws its models.
type kind struct {
	code   schema.BuiltinOperator
	weight int
	draw   func(*drawn)
}

// pick draws a kind by weight.
func pick(r *rand.Rand) int {
	n := r.IntN(weights)
	for i, k := range kinds {
		if n -= k.weight; n < 0 {
			return i
		}
	}
	return 0
}

var weights = func() (n int) {
	for _, k := range kinds {
		n += k.weight
	}
	return n
}()

// drawn is a model of one operator under construction.
type drawn struct {
	*rand.Rand
	model  encode.Model
	sub    encode.Subgraph
	called []encode.Subgraph
	op     encode.Operator
	// held marks the constant tensors.
	held   map[int]bool
	values map[int]values
	// computed reports that a parameter is not a constant, or not a valid one; indexes, that an input
	// has indexes into another, or sizes.
	computed, indexes bool
	// shortBias reports that the options specify an INT32 bias.
	shortBias bool
}

// values draws the numbers of a tensor.
type values func(d *drawn, i int) float64

// Kinds of numbers.

// anything covers the range of a type, and small real numbers.
func anything(d *drawn, t schema.TensorType) values {
	return func(d *drawn, _ int) float64 {
		switch t {
		case f32, f16:
			return math.Round((d.Float64()*8-4)*1000) / 1000
		case i4:
			return float64(d.IntN(15) - 7)
		case i8:
			return float64(d.IntN(256) - 128)
		case u8:
			return float64(d.IntN(256))
		case i16:
			return float64(d.IntN(65536) - 32768)
		case boolean:
			return float64(d.IntN(2))
		case u32, u64:
			return float64(d.IntN(1000))
		default:
			return float64(d.IntN(2001) - 1000)
		}
	}
}

func between(low, high float64) values {
	return func(d *drawn, _ int) float64 { return low + d.Float64()*(high-low) }
}

func below(n int32) values {
	return func(d *drawn, _ int) float64 { return float64(d.Int32N(max(n, 1))) }
}

func list(v ...int32) values {
	return func(_ *drawn, i int) float64 {
		if i < len(v) {
			return float64(v[i])
		}
		return 0
	}
}

// chance is true once in n times.
func (d *drawn) chance(n int) bool { return d.IntN(n) == 0 }

// some returns one of the elements.
func some[T any](d *drawn, list ...T) T { return list[d.IntN(len(list))] }

// tensor adds a tensor.
func (d *drawn) tensor(t schema.TensorType, shape []int32, q encode.Quantization, v values) int {
	i := len(d.sub.Tensors)
	if shape == nil {
		shape = []int32{}
	}
	d.sub.Tensors = append(d.sub.Tensors, encode.Tensor{Name: fmt.Sprintf("t%d", i), Type: t, Shape: shape, Quantization: q, HasRank: len(shape) == 0})
	if v == nil {
		v = anything(d, t)
	}
	d.values[i] = v
	return i
}

// in adds an input that is computed at run time, sometimes a constant.
func (d *drawn) in(t schema.TensorType, shape []int32, q encode.Quantization, v values) *encode.Tensor {
	i := d.tensor(t, shape, q, v)
	d.op.Inputs = append(d.op.Inputs, i)
	if d.chance(16) {
		d.hold(i)
	}
	return &d.sub.Tensors[i]
}

// param adds a constant input, sometimes one computed at run time.
func (d *drawn) param(t schema.TensorType, shape []int32, q encode.Quantization, v values) *encode.Tensor {
	i := d.tensor(t, shape, q, v)
	d.op.Inputs = append(d.op.Inputs, i)
	if t == i4 || !d.chance(16) { // the runtimes disagree about packed inputs of a model
		d.hold(i)
	} else {
		d.computed = true
	}
	return &d.sub.Tensors[i]
}

// numbers adds a parameter of integers in one dimension, mostly INT32.
func (d *drawn) numbers(v ...int32) *encode.Tensor {
	t := i32
	if d.chance(12) {
		t = some(d, i64, i64, i16)
	}
	return d.param(t, []int32{int32(len(v))}, none, list(v...))
}

// number adds a parameter that is one integer.
func (d *drawn) number(v int32) *encode.Tensor {
	p := d.numbers(v)
	if !d.chance(3) {
		p.Shape, p.HasRank = []int32{}, true
	}
	return p
}

func (d *drawn) hold(i int) {
	if d.held == nil {
		d.held = map[int]bool{}
	}
	d.held[i] = true
}

func (d *drawn) absent() { d.op.Inputs = append(d.op.Inputs, -1) }

// out adds an output.
func (d *drawn) out(t schema.TensorType, shape []int32, q encode.Quantization) *encode.Tensor {
	i := d.tensor(t, shape, q, nil)
	d.op.Outputs, d.sub.Outputs = append(d.op.Outputs, i), append(d.sub.Outputs, i)
	return &d.sub.Tensors[i]
}

// state adds an input that is a variable.
func (d *drawn) state(t schema.TensorType, shape []int32, q encode.Quantization) {
	i := d.tensor(t, shape, q, nil)
	d.sub.Tensors[i].Variable = true
	d.op.Inputs = append(d.op.Inputs, i)
}

type builder = *flatbuffers.Builder

// options sets the option table.
func (d *drawn) options(kind schema.BuiltinOptions, start func(builder), end func(builder) flatbuffers.UOffsetT, add ...func(builder)) {
	d.op.OptionsType, d.op.Options = kind, func(b builder) flatbuffers.UOffsetT {
		start(b)
		for _, f := range add {
			f(b)
		}
		return end(b)
	}
}

// set is one field of an option table.
func set[T any](add func(builder, T), v T) func(builder) { return func(b builder) { add(b, v) } }

// data returns the bytes of a tensor.
func (d *drawn) data(i int) (data []byte) {
	t := &d.sub.Tensors[i]
	n := size(t.Shape)
	nibble := byte(0)
	for k := range n {
		v := d.values[i](d, k)
		whole := int64(math.Round(v))
		switch t.Type {
		case f32:
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(v)))
		case f16, i16:
			data = binary.LittleEndian.AppendUint16(data, uint16(whole))
		case i4:
			if k%2 == 0 {
				nibble = byte(whole) & 15
				if k == n-1 {
					data = append(data, nibble)
				}
			} else {
				data = append(data, nibble|byte(whole)<<4)
			}
		case i8, u8:
			data = append(data, byte(whole))
		case boolean:
			data = append(data, byte(whole)&1)
		case i64, u64:
			data = binary.LittleEndian.AppendUint64(data, uint64(whole))
		default:
			data = binary.LittleEndian.AppendUint32(data, uint32(whole))
		}
	}
	return data
}

func (d *drawn) types() string {
	var words []string
	add := func(list []int) {
		for _, i := range list {
			if i < 0 {
				words = append(words, "-")
			} else {
				words = append(words, strings.ToLower(d.sub.Tensors[i].Type.String()))
			}
		}
	}
	add(d.op.Inputs)
	words = append(words, ">")
	add(d.op.Outputs)
	return strings.Join(words, " ")
}

// Shapes.

func size(shape []int32) int {
	n := 1
	for _, s := range shape {
		n *= int(s)
	}
	return n
}

// dim draws a dimension.
func (d *drawn) dim() int32 {
	switch d.IntN(6) {
	case 0:
		return 1
	case 1:
		return 1 + d.Int32N(17)
	}
	return 1 + d.Int32N(5)
}

// rank draws a number of dimensions, mostly from 1 to 4.
func (d *drawn) rank(least int) int {
	n := some(d, 0, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 4, 4, 5, 5, 6)
	return max(n, least)
}

// shape draws a shape of that rank.
func (d *drawn) shape(rank int) []int32 {
	s := make([]int32, rank)
	n := int32(1)
	for i := range s {
		s[i] = d.dim()
		if n*s[i] > 1200 {
			s[i] = 1
		}
		n *= s[i]
	}
	return s
}

// axis returns the dimension, sometimes counted from the end.
func (d *drawn) axis(i, rank int) int32 {
	if d.chance(3) {
		return int32(i - rank)
	}
	return int32(i)
}

// activation draws a fused activation, mostly none.
func (d *drawn) activation() schema.ActivationFunctionType {
	if d.chance(2) {
		return schema.ActivationFunctionTypeNONE
	}
	if d.chance(20) {
		return some(d, schema.ActivationFunctionTypeTANH, schema.ActivationFunctionTypeSIGN_BIT)
	}
	return some(d, schema.ActivationFunctionTypeRELU, schema.ActivationFunctionTypeRELU6, schema.ActivationFunctionTypeRELU_N1_TO_1)
}

// Quantisation.

var none encode.Quantization

func quantum(scale float64, zero int64) encode.Quantization {
	return encode.Quantization{Scales: []float32{float32(scale)}, Zeros: []int64{zero}}
}

// usual draws the quantisation of an activation as converters do it.
func (d *drawn) usual(t schema.TensorType) encode.Quantization {
	scale := math.Exp2(-8 + d.Float64()*6)
	switch t {
	case i8:
		return quantum(scale, some(d, 0, -128, 127, int64(d.IntN(256)-128), int64(d.IntN(256)-128)))
	case u8:
		return quantum(scale, int64(d.IntN(256)))
	case i16:
		zero := int64(0)
		if d.chance(30) {
			zero = int64(d.IntN(200) - 100)
		}
		return quantum(scale/256, zero)
	}
	if d.chance(60) {
		return quantum(scale, 0)
	}
	return none
}

// Short names of element types.
const (
	f32     = schema.TensorTypeFLOAT32
	f16     = schema.TensorTypeFLOAT16
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

// kind draws the main type: mostly one that many kernels support.
func (d *drawn) kind() schema.TensorType {
	if d.chance(6) {
		return some(d, i32, i32, i64, u8, boolean, u32)
	}
	return some(d, f32, i8, i8, i16)
}
