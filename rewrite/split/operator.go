package split

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// operator is an operator of the model that can be tiled.
type operator struct {
	*tflite.Operator
	// uses are the positions in Inputs, ascending, of the inputs tiled along with the output.
	// The other inputs stay whole.
	uses []int
	geometry
	// size is the output's layout.
	size layout
	macCount
}

// cuts reports whether the input at a position is tiled.
func (o *operator) cuts(position int) bool {
	_, found := slices.BinarySearch(o.uses, position)
	return found
}

// describer describes the operators of subgraph 0.
type describer struct {
	model *tflite.Model
	sub   *tflite.Subgraph
	quant quantization
	// whole marks the operators that depend only on constants, derived their outputs.
	whole, derived []bool
}

func newDescriber(m *tflite.Model) (*describer, error) {
	if len(m.Subgraphs) == 0 {
		return nil, &UncuttableError{Operator: -1, Reason: "the model has no subgraph"}
	}
	d := &describer{model: m, sub: &m.Subgraphs[0], quant: readQuantization(m)}
	d.findWhole()
	return d, nil
}

func (d *describer) code(op *tflite.Operator) schema.BuiltinOperator {
	return d.model.OperatorCodes[op.Code].Builtin
}

// describe returns a tileable operator, or an [*UncuttableError].
func (d *describer) describe(index int) (*operator, error) {
	op := &d.sub.Operators[index]
	c := &candidate{describer: d, op: &operator{Operator: op}}
	if why := c.fill(); why != "" {
		return nil, &UncuttableError{Operator: index, Name: op.Name, Reason: why}
	}
	c.op.macCount = c.count()
	return c.op, nil
}

// candidate is an operator being described. Its methods return the reason why it cannot be
// tiled, or "".
type candidate struct {
	*describer
	op *operator
	// images means that the tiled inputs must be images too.
	images bool
}

func (c *candidate) fill() (why string) {
	if why = c.generalReason(); why != "" {
		return why
	}
	if c.op.size, why = c.activation(c.op.Outputs[0]); why != "" {
		return "its output " + why
	}
	code := c.code(c.op.Operator)
	if describe, ok := imageKinds[code]; ok {
		return c.image(func() string { return describe(c) })
	}
	if c.op.size.single() {
		return fmt.Sprintf("its output has the shape %v, with a single row", c.op.size.shape)
	}
	if describe, ok := rowKinds[code]; ok {
		return describe(c)
	}
	if c.mixesBytes() {
		return "TensorFlow Lite Micro cannot cut tensors of type UINT8"
	}
	if n := op.Points(code); n > 0 {
		return c.elementwise(n)
	}
	return "no way is known to cut operators of this kind"
}

// generalReason returns a reason that does not depend on the kind of operator, or "".
func (c *candidate) generalReason() string {
	if len(c.op.Outputs) != 1 || c.op.Outputs[0] < 0 {
		return "it does not have exactly one output"
	}
	if why := c.orderProblem(c.op.Operator); why != "" {
		return why
	}
	if c.variable() {
		return "it touches a variable"
	}
	if c.op.Damaged {
		return "its options are damaged"
	}
	return ""
}

// variable reports whether an operator accesses state that persists between runs.
func (c *candidate) variable() bool {
	if len(c.op.Intermediates) > 0 {
		return true
	}
	touches := func(t int) bool { return t >= 0 && c.tensor(t).Variable }
	return slices.ContainsFunc(c.op.Inputs, touches) || slices.ContainsFunc(c.op.Outputs, touches)
}

// imageKinds describes the operators with a geometry along the height and the width of images,
// rowKinds those that compute rows of any tensor from rows of another.
var imageKinds, rowKinds map[schema.BuiltinOperator]func(*candidate) string

func init() {
	imageKinds = map[schema.BuiltinOperator]func(*candidate) string{
		schema.BuiltinOperatorCONV_2D:                 (*candidate).conv2D,
		schema.BuiltinOperatorDEPTHWISE_CONV_2D:       (*candidate).depthwise,
		schema.BuiltinOperatorMAX_POOL_2D:             (*candidate).pool,
		schema.BuiltinOperatorAVERAGE_POOL_2D:         (*candidate).pool,
		schema.BuiltinOperatorPAD:                     (*candidate).pad,
		schema.BuiltinOperatorPADV2:                   (*candidate).pad,
		schema.BuiltinOperatorDEPTH_TO_SPACE:          (*candidate).depthToSpace,
		schema.BuiltinOperatorSPACE_TO_DEPTH:          (*candidate).spaceToDepth,
		schema.BuiltinOperatorRESIZE_NEAREST_NEIGHBOR: (*candidate).nearest,
		schema.BuiltinOperatorRESIZE_BILINEAR:         (*candidate).bilinear,
		schema.BuiltinOperatorTRANSPOSE_CONV:          (*candidate).transposeConv,
	}
	rowKinds = map[schema.BuiltinOperator]func(*candidate) string{
		schema.BuiltinOperatorCONCATENATION:   (*candidate).concatenation,
		schema.BuiltinOperatorFULLY_CONNECTED: (*candidate).fullyConnected,
		schema.BuiltinOperatorBATCH_MATMUL:    (*candidate).batchMatMul,
		schema.BuiltinOperatorMEAN:            (*candidate).mean,
		schema.BuiltinOperatorRESHAPE:         (*candidate).reshape,
		schema.BuiltinOperatorTRANSPOSE:       (*candidate).transpose,
	}
}

func (c *candidate) tensor(i int) *tflite.Tensor { return &c.sub.Tensors[i] }

// input returns an input, or nil if absent.
func (c *candidate) input(position int) *tflite.Tensor {
	return c.sub.Operand(c.op.Inputs, position)
}

// activation returns the layout of a tensor that can be tiled, or a reason.
func (d *describer) activation(i int) (layout, string) {
	t := &d.sub.Tensors[i]
	switch t.Type {
	case schema.TensorTypeFLOAT32, schema.TensorTypeINT8, schema.TensorTypeINT16, schema.TensorTypeUINT8:
	default:
		return layout{}, "has the type " + t.Type.String()
	}
	if len(t.Shape) == 0 || len(t.Shape) > maxRank {
		return layout{}, fmt.Sprintf("has the shape %v, not one of 1 to %d dimensions", t.Shape, maxRank)
	}
	// Dimensions left open by the signature can be resized by a caller; the runtimes start with
	// the shape, and TensorFlow Lite Micro never sees anything else.
	if unsized(t) {
		return layout{}, "has a size that is known at run time only"
	}
	if bytes, ok := t.PackedBytes(); !ok || bytes <= 0 {
		return layout{}, "has no elements, or too many"
	}
	if last := len(t.Shape) - 1; !isImage(t.Shape) && d.quant.along(i, last, int(t.Shape[last])) != perTensor {
		return layout{}, "is not quantised as a whole"
	}
	return layoutOf(t.Shape), ""
}

// image describes an operator whose output and tiled inputs must be images.
func (c *candidate) image(describe func() string) string {
	if c.images = true; !isImage(c.op.size.shape) {
		return "its output " + notImage(c.op.size.shape)
	}
	return describe()
}

func notImage(shape []int32) string {
	return fmt.Sprintf("has the shape %v, not [1,height,width,channels]", shape)
}

// unsized reports whether a dimension is unknown or zero.
func unsized(t *tflite.Tensor) bool {
	return slices.ContainsFunc(t.Shape, func(d int32) bool { return d < 1 })
}

// cut marks an input as tiled along with the output.
func (c *candidate) cut(position int) (layout, string) {
	if c.input(position) == nil {
		return layout{}, fmt.Sprintf("input %d is missing", position)
	}
	p, why := c.activation(c.op.Inputs[position])
	if why == "" && c.images && !isImage(p.shape) {
		why = notImage(p.shape)
	}
	if why != "" {
		return p, fmt.Sprintf("its input %d %s", position, why)
	}
	c.op.uses = append(c.op.uses, position)
	return p, ""
}

// mixesBytes reports whether an operator converts from or to UINT8. TensorFlow Lite Micro
// supports no other use of UINT8 and neither slices nor joins it; operators entirely in UINT8
// run on other runtimes anyway.
func (c *candidate) mixesBytes() bool {
	in, out := c.input(0), c.tensor(c.op.Outputs[0])
	return in != nil && (in.Type == schema.TensorTypeUINT8) != (out.Type == schema.TensorTypeUINT8)
}

// sameTypes reports whether all tiled inputs have the output's type.
func (c *candidate) sameTypes() bool {
	for _, position := range c.op.uses {
		if c.input(position).Type != c.tensor(c.op.Outputs[0]).Type {
			return false
		}
	}
	return true
}
