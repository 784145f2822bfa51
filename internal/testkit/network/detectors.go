package network

import (
	"encoding/binary"
	"math"
	"math/rand/v2"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/schema"
)

// Detectors returns model files in which sizes depend on data, by name. All begin with convolutions that
// propose 64 boxes, with a score and 32 features each:
//
//   - threshold keeps the boxes with a score above 0 (WHERE), and computes classes of these;
//   - best keeps as many boxes as have such a score, at most 40 (TOPK_V2);
//   - suppress keeps the boxes with such a score, and of these the 10 that overlap least
//     (NON_MAX_SUPPRESSION_V4), whose number is fixed again.
func Detectors() map[string][]byte {
	return map[string][]byte{"threshold": detector((*detectorStack).threshold), "best": detector((*detectorStack).best), "suppress": detector((*detectorStack).suppress)}
}

// A detectorStack is a detector under construction.
type detectorStack struct {
	convolutionStack
	boxes, scores, features int
}

func detector(end func(*detectorStack) []int) []byte {
	s := &detectorStack{convolutionStack: convolutionStack{Rand: rand.New(rand.NewPCG(1, 9)), weighted: true}}
	x := s.tensor("image", 0, 1, 16, 16, 3)
	s.sub.Inputs = []int{x}
	x = s.stage("wide", x, 1, 8)
	x = s.stage("small", x, 2, 8)
	s.boxes = s.reshape("boxes", s.stage("box maps", x, 1, 4), 64, 4)
	s.scores = s.reshape("scores", s.stage("score maps", x, 1, 1), 64)
	s.features = s.reshape("features", s.stage("feature maps", x, 1, 32), 64, 32)
	s.sub.Outputs = end(s)
	return encode.Encode(encode.Model{Subgraphs: []encode.Subgraph{s.sub}, Buffers: s.buffers})
}

// threshold returns the boxes with a score above 0, and their classes.
func (s *detectorStack) threshold() []int {
	found := s.found()
	return []int{s.gather("found boxes", s.boxes, found, 1, 4), s.classes(s.gather("found features", s.features, found, 1, 32))}
}

// suppress returns the boxes that overlap least, and their classes.
func (s *detectorStack) suppress() []int {
	found := s.found()
	boxes, scores := s.gather("found boxes", s.boxes, found, 1, 4), s.gather("found scores", s.scores, found, 1)
	features := s.gather("found features", s.features, found, 1, 32)
	left := s.op(schema.BuiltinOperatorNON_MAX_SUPPRESSION_V4, schema.TensorTypeINT32, "selected", []int32{10}, boxes, scores, s.integers(nil, 10), s.number(0.5), s.number(0))
	count := s.typed("count", schema.TensorTypeINT32)
	s.sub.Operators[len(s.sub.Operators)-1].Outputs = []int{left, count}
	return []int{s.classes(s.gather("left features", features, left, 10, 32)), count}
}

// best returns the boxes with the best scores, and their classes.
func (s *detectorStack) best() []int {
	ones := s.op(schema.BuiltinOperatorCAST, schema.TensorTypeINT32, "ones", []int32{64}, s.positive())
	sum := s.op(schema.BuiltinOperatorSUM, schema.TensorTypeINT32, "sum", nil, ones, s.integers([]int32{1}, 0))
	k := s.op(schema.BuiltinOperatorMINIMUM, schema.TensorTypeINT32, "k", nil, sum, s.integers(nil, 40))
	values := s.op(schema.BuiltinOperatorTOPK_V2, schema.TensorTypeFLOAT32, "best scores", []int32{1}, s.scores, k)
	places := s.typed("places", schema.TensorTypeINT32, 1)
	s.sub.Operators[len(s.sub.Operators)-1].Outputs = []int{values, places}
	return []int{s.gather("best boxes", s.boxes, places, 1, 4), s.classes(s.gather("best features", s.features, places, 1, 32)), values}
}

// positive returns which scores are above 0.
func (s *detectorStack) positive() int {
	return s.op(schema.BuiltinOperatorGREATER, schema.TensorTypeBOOL, "positive", []int32{64}, s.scores, s.number(0))
}

// found returns the indexes of the boxes with a score above 0.
func (s *detectorStack) found() int {
	where := s.op(schema.BuiltinOperatorWHERE, schema.TensorTypeINT64, "where", []int32{1, 1}, s.positive())
	return s.op(schema.BuiltinOperatorRESHAPE, schema.TensorTypeINT64, "found", []int32{1}, where, s.integers([]int32{1}, -1))
}

// classes returns 12 numbers for each row of features.
func (s *detectorStack) classes(features int) int {
	hidden := s.op(schema.BuiltinOperatorFULLY_CONNECTED, schema.TensorTypeFLOAT32, "hidden", []int32{1, 48}, features, s.constant(48, 32), s.constant(48))
	return s.op(schema.BuiltinOperatorFULLY_CONNECTED, schema.TensorTypeFLOAT32, "classes", []int32{1, 12}, hidden, s.constant(12, 48), s.constant(12))
}

// stage is a convolution of 3 rows and columns.
func (s *detectorStack) stage(name string, x int, stride, channels int32) int {
	in := s.sub.Tensors[x].Shape
	y := s.op(schema.BuiltinOperatorCONV_2D, schema.TensorTypeFLOAT32, name, []int32{1, in[1] / stride, in[2] / stride, channels}, x, s.constant(channels, 3, 3, in[3]), s.constant(channels))
	o := &s.sub.Operators[len(s.sub.Operators)-1]
	o.OptionsType = schema.BuiltinOptionsConv2DOptions
	o.Options = func(b *flatbuffers.Builder) flatbuffers.UOffsetT { return strides(b, stride) }
	return y
}

func (s *detectorStack) reshape(name string, x int, shape ...int32) int {
	return s.op(schema.BuiltinOperatorRESHAPE, schema.TensorTypeFLOAT32, name, shape, x, s.integers([]int32{int32(len(shape))}, shape...))
}

// gather returns some rows of a tensor.
func (s *detectorStack) gather(name string, rows, places int, shape ...int32) int {
	return s.op(schema.BuiltinOperatorGATHER, schema.TensorTypeFLOAT32, name, shape, rows, places)
}

// op adds an operator with one output. In its shape, converters write 1 for what depends on data.
func (s *detectorStack) op(code schema.BuiltinOperator, kind schema.TensorType, name string, shape []int32, inputs ...int) int {
	y := s.typed(name, kind, shape...)
	o := encode.Operator{Builtin: code, Inputs: inputs, Outputs: []int{y}}
	switch code {
	case schema.BuiltinOperatorSUM:
		o.OptionsType, o.Options = schema.BuiltinOptionsReducerOptions, empty(schema.ReducerOptionsStart, schema.ReducerOptionsEnd)
	case schema.BuiltinOperatorGATHER:
		o.OptionsType, o.Options = schema.BuiltinOptionsGatherOptions, empty(schema.GatherOptionsStart, schema.GatherOptionsEnd)
	case schema.BuiltinOperatorFULLY_CONNECTED:
		o.OptionsType, o.Options = schema.BuiltinOptionsFullyConnectedOptions, empty(schema.FullyConnectedOptionsStart, schema.FullyConnectedOptionsEnd)
	}
	s.sub.Operators = append(s.sub.Operators, o)
	return y
}

func (s *detectorStack) typed(name string, kind schema.TensorType, shape ...int32) int {
	t := s.tensor(name, 0, shape...)
	s.sub.Tensors[t].Type = kind
	return t
}

// integers is a constant, a scalar if the shape is nil.
func (s *detectorStack) integers(shape []int32, list ...int32) int {
	var data []byte
	for _, x := range list {
		data = binary.LittleEndian.AppendUint32(data, uint32(x))
	}
	return s.embed(s.typed("integers", schema.TensorTypeINT32, shape...), data)
}

// number is a scalar constant.
func (s *detectorStack) number(x float32) int {
	return s.embed(s.tensor("number", 0), binary.LittleEndian.AppendUint32(nil, math.Float32bits(x)))
}
