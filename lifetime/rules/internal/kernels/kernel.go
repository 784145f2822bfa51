package kernels

import (
	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// A Kernel is one operator as its kernel sees it while it is prepared.
type Kernel struct {
	// Subgraph and Operator are the operator's place in the file.
	Subgraph, Operator int

	model *tflite.Model
	sub   *tflite.Subgraph
	op    *tflite.Operator
	abi   ABI
	// valid says that the padding is VALID, whatever the options have.
	valid bool
	// assigned are the resource variables that have memory already, by name.
	assigned map[string]bool
	demand   demand
	known    bool
}

// An Asker takes what kernels ask the runtime for. Sizes are in bytes.
type Asker interface {
	// Temporary asks for a TfLiteTensor for a tensor of the file, which lives until the
	// operator is prepared. The kernel reads its struct, unless Reads says otherwise.
	Temporary(t *tflite.Tensor)
	// Reads says what is read of the last temporary tensor from now on.
	Reads(part Part)
	// Keep asks for count persistent allocations, each of a number of bytes.
	Keep(count, bytes int64)
	// Scratch asks for a buffer that the planner places, which may have no bytes.
	Scratch(bytes int64)
}

// A Part is what is still read of a temporary tensor. Persistent memory may overwrite the rest.
type Part int

// The parts, each with all before it.
const (
	Freed  Part = iota // what the runtime reads to free it
	Dims               // the TfLiteTensor up to its dimensions
	Type               // the TfLiteTensor up to its type
	Struct             // the TfLiteTensor
	Axis               // the scales, and the dimension that several of them go along
	Zeros              // the zero points
)

// Each calls f for the kernel of each operator of a model, in the order in which the
// runtime initialises and prepares them.
func Each(m *tflite.Model, build Build, f func(*Kernel)) {
	assigned := map[string]bool{}
	for i := range m.Subgraphs {
		s := &m.Subgraphs[i]
		for j := range s.Operators {
			k := &Kernel{Subgraph: i, Operator: j, model: m, sub: s, op: &s.Operators[j], abi: build.ABI, assigned: assigned}
			k.demand, k.known = build.Library.demand(m, k.op)
			f(k)
		}
	}
}

// Single returns the kernel of an operator by itself, which may be in no file: of a subgraph with its
// tensors alone. valid says that the padding is VALID, whatever the options have.
func Single(m *tflite.Model, s *tflite.Subgraph, op *tflite.Operator, build Build, valid bool) *Kernel {
	k := &Kernel{model: m, sub: s, op: op, abi: build.ABI, valid: valid, assigned: map[string]bool{}}
	k.demand, k.known = build.Library.demand(m, op)
	return k
}

// Name returns the operator's name.
func (k *Kernel) Name() string { return k.op.Name }

// Unknown returns why it is not known what the kernel asks for, as the end of a sentence about the
// operator: "" if it is known, and where the runtime does not run the operator.
func (k *Kernel) Unknown() string {
	switch {
	case k.known && k.demand.unknown != nil:
		return k.demand.unknown(k)
	case !k.known && k.model.OperatorCodes[k.op.Code].Builtin == schema.BuiltinOperatorCUSTOM:
		return "is a custom operator of the application"
	}
	return ""
}

// FromSource reports whether what the kernel asks for was read from its source, and never seen in a
// run.
func (k *Kernel) FromSource() bool { return k.demand.fromSource }

// Options returns the size and alignment of the operator's options as the runtime parses
// them, zero where there are none.
func (k *Kernel) Options() (bytes, align int64) {
	b := k.demand.options[k.abi]
	return b.bytes, b.align
}

// Init tells a what the kernel asks for in Init.
func (k *Kernel) Init(a Asker) { k.ask(k.demand.init, a) }

// Prepare tells a what the kernel asks for in Prepare, in its order. It is to be called
// once for each kernel, and in the order of [Each].
func (k *Kernel) Prepare(a Asker) { k.ask(k.demand.prepare, a) }

// Kept returns the bytes that a kernel of the library keeps whatever its tensors are: its
// parsed options, and what it takes in Init, rounded up to 16.
func Kept(code schema.BuiltinOperator, build Build) int64 {
	k := &Kernel{abi: build.ABI}
	k.demand, _ = build.Library.builtin(code)
	kept := kept{}
	k.Init(&kept)
	bytes, _ := k.Options()
	return bytes + kept.bytes
}

// kept counts persistent memory and nothing else.
type kept struct{ bytes int64 }

func (c *kept) Temporary(*tflite.Tensor) {}
func (c *kept) Reads(Part)               {}
func (c *kept) Scratch(int64)            {}
func (c *kept) Keep(count, bytes int64)  { c.bytes += product(count, integer.RoundUp(bytes, 16)) }

func (k *Kernel) input(i int) *tflite.Tensor  { return k.sub.Operand(k.op.Inputs, i) }
func (k *Kernel) output(i int) *tflite.Tensor { return k.sub.Operand(k.op.Outputs, i) }

// inputType returns the type of an input, or -1 where there is none.
func (k *Kernel) inputType(i int) schema.TensorType { return typeOf(k.input(i)) }

// typeOf returns the type of a tensor, or -1 where there is none.
func typeOf(t *tflite.Tensor) schema.TensorType {
	if t == nil {
		return -1
	}
	return t.Type
}

func rank(t *tflite.Tensor) int64 {
	if t == nil {
		return 0
	}
	return int64(len(t.Shape))
}

// Elements returns the number of a tensor's elements: zero for no tensor, for a size that
// is not known, and beyond what counts.
func Elements(t *tflite.Tensor) int64 {
	if t == nil {
		return 0
	}
	n, ok := t.Elements()
	if !ok || n > MaxSize {
		return 0
	}
	return n
}

// Bytes returns the size of a tensor as the runtime counts it, zero for none.
func Bytes(t *tflite.Tensor) int64 {
	if t == nil {
		return 0
	}
	return product(Elements(t), ElementBits(t.Type)/8)
}

// Dim returns a dimension of a tensor: zero where there is none, and where it is not known.
func Dim(t *tflite.Tensor, i int) int64 {
	if t == nil || i < 0 || i >= len(t.Shape) || t.Shape[i] < 0 {
		return 0
	}
	return int64(t.Shape[i])
}

// Stretched reports whether a shape leaves one dimension open, as -1, and gives all others.
func Stretched(shape []int32) bool {
	open := 0
	for _, d := range shape {
		switch {
		case d == -1:
			open++
		case d < 1:
			return false
		}
	}
	return open == 1
}

// Scales returns how many scales the quantisation of a tensor has. It is zero where the
// runtime takes the tensor for not quantised: it needs scales and zero points; zero, too, for an absent
// tensor.
func Scales(t *tflite.Tensor) int64 {
	if t == nil {
		return 0
	}
	table := t.Table()
	if table.Table().Bytes == nil {
		return 0 // it is in no file
	}
	q := table.Quantization(nil)
	if q == nil || q.ZeroPointLength() == 0 {
		return 0
	}
	return int64(q.ScaleLength())
}

// option returns a whole number of a custom operator's options, or zero.
func (k *Kernel) option(name string) int64 {
	n, _ := k.op.CustomOption(name)
	return min(max(n, 0), MaxSize)
}

// product multiplies sizes and stops at the largest that counts: no arena is that large.
func product(factors ...int64) int64 {
	p := int64(1)
	for _, f := range factors {
		switch {
		case f <= 0:
			return 0
		case p > MaxSize/f:
			p = MaxSize
		default:
			p *= f
		}
	}
	return p
}

// ElementBits is the runtime's own table of sizes: INT4 is unpacked, a resource is a handle
// of four bytes, and several types have no size at all, which is zero. (TfLiteTypeSizeOf as
// linked into TensorFlow Lite Micro.)
func ElementBits(t schema.TensorType) int64 {
	switch t {
	case schema.TensorTypeINT4:
		return 8
	case schema.TensorTypeRESOURCE:
		return 32
	case schema.TensorTypeINT2, schema.TensorTypeUINT4,
		schema.TensorTypeFLOAT8_E4M3FN, schema.TensorTypeFLOAT8_E5M2:
		return 0
	}
	return int64(tflite.ElementBits(t))
}

// MaxSize is the largest size that counts, in bytes and in elements. No arena is that large.
const MaxSize = int64(1) << 40
