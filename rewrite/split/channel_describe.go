package split

import (
	"fmt"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// A channelwise is an operator as far as it can be cut along the channels of its output,
// which are its last dimension.
type channelwise struct {
	*operator // without a geometry
	// takes are the inputs that are cut, one for each of uses.
	takes []taking
	// counts are how many channels the output has, first, and what is cut of the inputs;
	// or how many groups of them that stay together.
	counts []int64
	// least is how many channels of the output a piece has at least.
	least int64
}

// A taking is an input that is cut along a dimension.
type taking struct{ position, dim int }

// ChannelCuttable says for each operator of subgraph 0 why it cannot be part of a stage
// that is cut along the channels: nil when it can, otherwise an [*UncuttableError].
// Convolutions and fully connected layers can only be at the front of such a stage: all
// that they read comes in whole.
func ChannelCuttable(m *tflite.Model) []error {
	return reasons(m, func(d *describer, index int) error {
		_, err := d.describeChannels(index)
		return err
	})
}

// describeChannels returns how an operator is cut along the channels, or why it cannot be.
func (d *describer) describeChannels(index int) (*channelwise, error) {
	op := &d.sub.Operators[index]
	c := &channelCandidate{candidate: candidate{describer: d, op: &operator{Operator: op}}, least: 1}
	if why := c.fill(); why != "" {
		return nil, &UncuttableError{Operator: index, Name: op.Name, Reason: why}
	}
	c.op.uses = nil
	for _, t := range c.takes {
		c.op.uses = append(c.op.uses, t.position)
	}
	c.op.work = c.count()
	return &channelwise{operator: c.op, takes: c.takes, counts: c.counts, least: c.least}, nil
}

// A channelCandidate is an operator on its way to being described. As with [candidate],
// its methods return why it cannot be cut.
type channelCandidate struct {
	candidate
	takes  []taking
	counts []int64
	least  int64
}

// channelKinds are the operators that are not element-wise.
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
	if why = c.peculiar(); why != "" {
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

// last returns how many channels a tensor has.
func (c *channelCandidate) last(t *tflite.Tensor) int32 { return t.Shape[len(t.Shape)-1] }

// layered says why a tensor that is made at run time cannot be cut along its last
// dimension. STRIDED_SLICE has at most 4 in TensorFlow Lite Micro.
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

// take cuts an input along a dimension.
func (c *channelCandidate) take(position, dim int) string {
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
	c.takes = append(c.takes, taking{position, dim})
	c.counts = append(c.counts, int64(t.Shape[dim]))
	return ""
}

// cutsQuantization says whether that of a constant can be cut along with it. Only kernels
// with weights that have a scale for each channel look at more than the first. There older
// converters let the bias name the weights' dimension, which it has not; it is stored
// without its scales then, since such kernels take those of the input and of the weights.
func (c *channelCandidate) cutsQuantization(position, dim int) bool {
	t := c.input(position)
	switch c.quant.along(t.Index, dim, int(t.Shape[dim])) {
	case perTensor:
		return true
	case perChannel:
		return c.least > 1
	case astray:
		return c.least > 1 && position == 2
	}
	return false
}

// takeLast cuts an input along its last dimension.
func (c *channelCandidate) takeLast(position int) string {
	t := c.input(position)
	if t == nil || len(t.Shape) == 0 {
		return fmt.Sprintf("input %d is missing", position)
	}
	return c.take(position, len(t.Shape)-1)
}
