package kernels

import (
	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// A Kernel is one operator as seen by its kernel in Prepare.
type Kernel struct {
	// Subgraph and Operator are the operator's indexes in the file.
	Subgraph, Operator int

	model *tflite.Model
	sub   *tflite.Subgraph
	op    *tflite.Operator
	abi   ABI
	// valid forces VALID padding, whatever the options.
	valid bool
	// assigned holds the resource variables that already have memory, by name.
	assigned map[string]bool
	demand   *demand
	known    bool
}

// An Asker receives the requests of kernels. Sizes are in bytes.
type Asker interface {
	// Temporary requests a TfLiteTensor for a tensor of the file, which lives until the
	// operator is prepared. The kernel reads its struct, unless Reads sets another part.
	Temporary(t *tflite.Tensor)
	// Reads sets the part of the last temporary tensor that is read from now on.
	Reads(part Part)
	// Keep requests count persistent allocations of the given size.
	Keep(count, bytes int64)
	// Scratch requests a buffer that the planner places; its size may be 0.
	Scratch(bytes int64)
}

// A Part is the part of a temporary tensor that is still read. Persistent memory may overwrite
// the rest.
type Part int

// The parts; each includes the previous ones.
const (
	Freed  Part = iota // the words that the runtime reads to free it
	Dims               // the TfLiteTensor up to its dimensions
	Type               // the TfLiteTensor up to its type
	Struct             // the TfLiteTensor
	Axis               // the scales and their dimension, for per-channel quantisation
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

// Single returns the kernel of a single operator, which may be in no file: its subgraph has
// only its own tensors. valid forces VALID padding, whatever the options.
func Single(m *tflite.Model, s *tflite.Subgraph, op *tflite.Operator, build Build, valid bool) *Kernel {
	k := &Kernel{model: m, sub: s, op: op, abi: build.ABI, valid: valid, assigned: map[string]bool{}}
	k.demand, k.known = build.Library.demand(m, op)
	return k
}

func (k *Kernel) Name() string { return k.op.Name }

// Unknown returns the reason why the kernel's requests are unknown, as the end of a sentence
// about the operator: "" if they are known, or if the runtime does not run the operator.
func (k *Kernel) Unknown() string {
	switch {
	case k.known && k.demand.unknown != nil:
		return k.demand.unknown(k)
	case !k.known && k.model.OperatorCodes[k.op.Code].Builtin == schema.BuiltinOperatorCUSTOM:
		return "is a custom operator of the application"
	}
	return ""
}

// FromSource reports whether the kernel's requests were only read from its source and never
// observed in a run.
func (k *Kernel) FromSource() bool { return k.demand.fromSource }

// Options returns the size and alignment of the operator's parsed options, zero without
// options.
func (k *Kernel) Options() (bytes, align int64) {
	b := k.demand.options[k.abi]
	return b.bytes, b.align
}

// Init sends the kernel's requests in Init to a.
func (k *Kernel) Init(a Asker) { k.ask(k.demand.init, a) }

// Prepare sends the kernel's requests in Prepare to a, in order. It must be called once per
// kernel, in the order of [Each].
func (k *Kernel) Prepare(a Asker) { k.ask(k.demand.prepare, a) }

// Kept returns the persistent bytes of a kernel that do not depend on its tensors: its parsed
// options and its allocations in Init, rounded up to 16.
func Kept(code schema.BuiltinOperator, build Build) int64 {
	k := &Kernel{abi: build.ABI}
	k.demand, _ = build.Library.builtin(code)
	kept := kept{}
	k.Init(&kept)
	bytes, _ := k.Options()
	return bytes + kept.bytes
}

// Kept returns the persistent memory that the kernel requests when it is prepared.
func (k *Kernel) Kept() int64 {
	kept := kept{}
	k.Prepare(&kept)
	return kept.bytes
}

// kept counts only persistent memory.
type kept struct{ bytes int64 }

func (c *kept) Temporary(*tflite.Tensor) {}
func (c *kept) Reads(Part)               {}
func (c *kept) Scratch(int64)            {}
func (c *kept) Keep(count, bytes int64)  { c.bytes += product(count, integer.RoundUp(bytes, 16)) }

// Unused returns the bytes of scratch that the kernel requests for an operator but does not
// use, and the reason; 0 and "" if it uses all.
func (k *Kernel) Unused() (bytes int64, reason string) {
	if k.demand.unused == nil {
		return 0, ""
	}
	if bytes, reason = k.demand.unused(k); bytes <= 0 {
		return 0, ""
	}
	return bytes, reason
}

//go:noinline
func (k *Kernel) input(i int) *tflite.Tensor { return k.sub.Operand(k.op.Inputs, i) }

//go:noinline
func (k *Kernel) output(i int) *tflite.Tensor { return k.sub.Operand(k.op.Outputs, i) }

// inputType returns the type of an input, or -1 if absent.
func (k *Kernel) inputType(i int) schema.TensorType { return typeOf(k.input(i)) }

// typeOf returns the type of a tensor, or -1 for nil.
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

// Elements returns the number of a tensor's elements: zero for nil and for an unknown size, at
// most [MaxSize].
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

// Bytes returns the size of a tensor in the runtime, zero for nil.
func Bytes(t *tflite.Tensor) int64 {
	if t == nil {
		return 0
	}
	return product(Elements(t), ElementBits(t.Type)/8)
}

// Dim returns a dimension of a tensor: zero if missing or unknown.
func Dim(t *tflite.Tensor, i int) int64 {
	if t == nil || i < 0 || i >= len(t.Shape) || t.Shape[i] < 0 {
		return 0
	}
	return int64(t.Shape[i])
}

// Stretched reports whether a shape has exactly one unknown dimension, -1.
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

// Scales returns the number of scales of a tensor's quantisation. It is zero for nil, and if
// the runtime treats the tensor as not quantised, because scales or zero points are missing.
func Scales(t *tflite.Tensor) int64 {
	if t == nil {
		return 0
	}
	table := t.Table()
	if table.Table().Bytes == nil {
		return 0 // the tensor is not from a file
	}
	q := table.Quantization(nil)
	if q == nil || q.ZeroPointLength() == 0 {
		return 0
	}
	return int64(q.ScaleLength())
}

// option returns an integer from a custom operator's options, or zero.
func (k *Kernel) option(name string) int64 {
	n, _ := k.op.CustomOption(name)
	return min(max(n, 0), MaxSize)
}

// product multiplies sizes, saturating at [MaxSize].
//
//go:noinline
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

// ElementBits is the runtime's own table of sizes: INT4 is unpacked, a resource is a handle of
// four bytes, and several types have no size, returned as zero. (TfLiteTypeSizeOf as linked
// into TensorFlow Lite Micro.)
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

// MaxSize is the limit of sizes, in bytes and in elements. No arena is that large.
const MaxSize = int64(1) << 40
