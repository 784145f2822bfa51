package split

import (
	"fmt"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// channelwise is an operator that can be split along the channels, the last dimension, of its
// output.
type channelwise struct {
	*operator // without a geometry
	// slicedInputs are the sliced inputs, parallel to uses.
	slicedInputs []slicedInput
	// counts are the channels of the output, first, and of the sliced inputs, or the numbers of
	// groups of channels that stay together.
	counts []int64
	// least is the minimum number of output channels in a slice.
	least int64
}

// slicedInput is an input sliced along a dimension.
type slicedInput struct{ position, dim int }

// ChannelCuttable returns, for each operator of subgraph 0, an [*UncuttableError] with the
// reason why it cannot be part of a stage split along the channels, or nil. Convolutions and
// fully connected layers can only be the first operators of such a stage, since they read all
// input channels.
func ChannelCuttable(m *tflite.Model) []error {
	return reasons(m, func(d *describer, index int) error {
		_, err := d.describeChannels(index)
		return err
	})
}

// describeChannels returns how an operator is split along the channels, or an
// [*UncuttableError].
func (d *describer) describeChannels(index int) (*channelwise, error) {
	op := &d.sub.Operators[index]
	c := &channelCandidate{candidate: candidate{describer: d, op: &operator{Operator: op}}, least: 1}
	if why := c.fill(); why != "" {
		return nil, &UncuttableError{Operator: index, Name: op.Name, Reason: why}
	}
	c.op.uses = nil
	for _, t := range c.slicedInputs {
		c.op.uses = append(c.op.uses, t.position)
	}
	c.op.macCount = c.count()
	return &channelwise{operator: c.op, slicedInputs: c.slicedInputs, counts: c.counts, least: c.least}, nil
}

// channelCandidate is an operator being described. As with [candidate], its methods return the
// reason why it cannot be split.
type channelCandidate struct {
	candidate
	slicedInputs []slicedInput
	counts       []int64
	least        int64
}

// channelKinds describes the operators that are not element-wise.
var channelKinds map[schema.BuiltinOperator]func(*channelCandidate) string

func init() {
	channelKinds = map[schema.BuiltinOperator]func(*channelCandidate) string{
		schema.BuiltinOperatorCONV_2D:                 (*channelCandidate).conv2D,
		schema.BuiltinOperatorDEPTHWISE_CONV_2D:       (*channelCandidate).depthwise,
		schema.BuiltinOperatorFULLY_CONNECTED:         (*channelCandidate).fullyConnected,
		schema.BuiltinOperatorMAX_POOL_2D:             (*channelCandidate).pool,
		schema.BuiltinOperatorAVERAGE_POOL_2D:         (*channelCandidate).pool,
		schema.BuiltinOperatorMEAN:                    (*channelCandidate).mean,
		schema.BuiltinOperatorPAD:                     (*channelCandidate).pad,
		schema.BuiltinOperatorPADV2:                   (*channelCandidate).pad,
		schema.BuiltinOperatorRESIZE_NEAREST_NEIGHBOR: (*channelCandidate).resize,
		schema.BuiltinOperatorRESIZE_BILINEAR:         (*channelCandidate).resize,
	}
}

func (c *channelCandidate) fill() (why string) {
	if why = c.generalReason(); why != "" {
		return why
	}
	if why = c.layered(c.output()); why != "" {
		return "its output " + why
	}
	c.counts = []int64{int64(c.last(c.output()))}
	code := c.code(c.op.Operator)
	if describe, ok := channelKinds[code]; ok {
		return describe(c)
	}
	switch {
	case code == schema.BuiltinOperatorSOFTMAX:
		return "each of its values depends on all channels"
	case op.Points(code) == 0:
		return "no way is known to cut operators of this kind along the channels"
	case c.mixesBytes():
		return "TensorFlow Lite Micro cannot cut tensors of type UINT8"
	}
	return c.elementwise(op.Points(code))
}

func (c *channelCandidate) output() *tflite.Tensor { return c.tensor(c.op.Outputs[0]) }

// last returns the number of channels of a tensor.
func (c *channelCandidate) last(t *tflite.Tensor) int32 { return t.Shape[len(t.Shape)-1] }

// layered returns the reason why a tensor computed at run time cannot be sliced along its last
// dimension. STRIDED_SLICE supports at most 4 dimensions in TensorFlow Lite Micro.
func (c *channelCandidate) layered(t *tflite.Tensor) string {
	switch t.Type {
	case schema.TensorTypeFLOAT32, schema.TensorTypeINT8, schema.TensorTypeINT16, schema.TensorTypeUINT8:
	default:
		return "has the type " + t.Type.String()
	}
	bytes, ok := t.PackedBytes()
	switch {
	case len(t.Shape) == 0 || len(t.Shape) > 4:
		return fmt.Sprintf("has the shape %v", t.Shape)
	case unsized(t):
		return "has a size that is known at run time only"
	case !ok || bytes <= 0:
		return "has no elements, or too many"
	case c.quant.along(t.Index, len(t.Shape)-1, int(c.last(t))) != perTensor:
		return "is not quantised as a whole"
	}
	return ""
}

// sliceInput slices an input along a dimension.
func (c *channelCandidate) sliceInput(position, dim int) string {
	t := c.input(position)
	if t == nil {
		return fmt.Sprintf("input %d is missing", position)
	}
	why := ""
	if !t.Constant {
		why = c.layered(t)
	} else if why = c.storable(t); why == "" && !c.cutsQuantization(position, dim) {
		why = "has a quantisation that cannot be cut along with it"
	}
	if why != "" {
		return fmt.Sprintf("its input %d %s", position, why)
	}
	c.slicedInputs = append(c.slicedInputs, slicedInput{position, dim})
	c.counts = append(c.counts, int64(t.Shape[dim]))
	return ""
}

// cutsQuantization reports whether a constant's quantisation can be sliced along with it. Only
// kernels with per-channel weights read more than the first scale. For these, older converters
// gave the bias the weights' quantised dimension, which a bias does not have; such a bias is
// stored without scales, since these kernels use the scales of the input and the weights.
func (c *channelCandidate) cutsQuantization(position, dim int) bool {
	t := c.input(position)
	switch c.quant.along(t.Index, dim, int(t.Shape[dim])) {
	case perTensor:
		return true
	case perChannel:
		return c.least > 1
	case wrongDimension:
		return c.least > 1 && position == 2
	}
	return false
}

// takeLast slices an input along its last dimension.
func (c *channelCandidate) takeLast(position int) string {
	t := c.input(position)
	if t == nil || len(t.Shape) == 0 {
		return fmt.Sprintf("input %d is missing", position)
	}
	return c.sliceInput(position, len(t.Shape)-1)
}
