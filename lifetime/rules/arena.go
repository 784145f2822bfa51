package rules

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/integer"
	"github.com/tflarena/tflarena/lifetime/rules/internal/kernels"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
	"github.com/tflarena/tflarena/tflite/op"
)

// An Arena is the contents of the arena of TensorFlow Lite Micro on one device, in bytes.
type Arena struct {
	// Figures count nothing for operators with unknown requests, and are then too small.
	// Required exceeds Used if the runtime temporarily needs more than it keeps.
	Figures
	// Decides names the stage of AllocateTensors at which the arena use peaks.
	Decides string
	// Parts are the items of the tail.
	Parts []Part
	// Setup is the value of Required if the planner had nothing to place.
	Setup int64
	// FromSource names the operators whose requests were read from the source of their kernels
	// and not observed in a run.
	FromSource []string
}

// KernelData is the name of the [Part] that kernels request, without options.
const KernelData = "kernel data"

// A Part is one item of the tail.
type Part struct {
	// Name is a stable name, such as "eval tensors".
	Name string
	// Bytes is the size, including the alignment padding before it.
	Bytes int64
}

// maxArena keeps sums of sizes inside an int64. No arena is that large.
const maxArena = int64(1) << 60

// A Load is the arena's contents that do not follow from the model and the device alone.
type Load struct {
	// Kept is the model with only the variables that are in the tail.
	Kept *tflite.Model
	// Planned counts the tensors that the planner places. Head is the size in bytes of the part
	// of the arena that these tensors and the requests take.
	Planned int
	Head    int64
	// Requests is the scratch that the kernels request.
	Requests []Request
}

// Arena returns the contents of the arena. It replays the runtime's allocations in order: those
// at the high end, each at an address rounded down to its alignment, and those at the low end
// at the same time. An arena is large enough if the two ends never meet.
// (SingleArenaBufferAllocator, MicroAllocator and MicroInterpreterGraph of tflite-micro
// 90b983c, with its reference kernels.)
func (l Load) Arena(device Device) Arena {
	return l.arena(device, func(int64, block) {})
}

// arena is [Load.Arena], and calls persisted with each persistent allocation.
func (l Load) arena(device Device, persisted func(count int64, b block)) Arena {
	s := &arenaWalk{load: &l, device: &device, layout: device.ABI.structs(), parts: map[string]int64{}, persisted: persisted}
	s.start()
	s.initialise()
	s.prepare()
	s.plan()
	setup := s.need
	s.finish()
	a := Arena{
		Figures: Figures{Required: whole(s.need), Used: min(l.Head+s.high, maxArena), Head: l.Head, Tail: s.high, Unknown: s.unknown},
		Decides: s.decides, Setup: whole(max(setup, s.high)), FromSource: s.fromSource,
	}
	for _, name := range s.names {
		a.Parts = append(a.Parts, Part{name, s.parts[name]})
	}
	return a
}

// whole rounds up the size of an arena.
func whole(bytes int64) int64 { return integer.RoundUp(min(bytes, maxArena), arenaAlign) }

const (
	// arenaAlign is the alignment, in bytes, of the arena, the planner and the kernels' memory.
	arenaAlign = 16
	// requestsPerOperator is the number of scratch requests for which the runtime reserves room
	// while it prepares an operator.
	requestsPerOperator = 12
	// plannedBytes is the memory of the planner per buffer while it plans.
	plannedBytes = 40
)

// arenaWalk replays the allocations. high is the size of the high end, head the size of the
// head at the low end, and temp the end of the temporary memory above it.
type arenaWalk struct {
	load   *Load
	device *Device
	layout *structs

	high, head, temp int64
	// last is the last temporary tensor, at the address lastAt. live holds its bytes that are
	// still read, from the top down: persistent memory may overwrite the others.
	last   *tflite.Tensor
	lastAt int64
	live   []extent

	need       int64
	stage      string // current stage, for decides
	decides    string
	names      []string
	parts      map[string]int64
	part       string
	unknown    *Unknown
	fromSource []string
	// persisted is called with each allocation at the high end.
	persisted func(count int64, b block)
}

// enter sets the current part of the tail and the current stage.
func (s *arenaWalk) enter(part, stage string) {
	s.part, s.stage = part, stage
	if _, seen := s.parts[part]; !seen && part != "" {
		s.names = append(s.names, part)
		s.parts[part] = 0
	}
}

// meet raises the arena size to hold both ends.
func (s *arenaWalk) meet(low, high int64) {
	if n := min(low, maxArena) + min(high, maxArena); n > s.need {
		s.need, s.decides = n, s.stage
	}
}

// persist allocates at the high end, count times, while the low end reaches up to low.
func (s *arenaWalk) persist(count int64, b block, low int64) {
	if count <= 0 {
		return
	}
	s.persisted(count, b)
	before := s.high
	// Every allocation after the first begins at its alignment, and so takes its size rounded
	// up.
	s.high = integer.RoundUp(s.high+b.bytes, b.align)
	s.high = min(s.high+many(count-1, integer.RoundUp(b.bytes, b.align)), maxArena)
	s.parts[s.part] += s.high - before
	s.meet(low, s.high)
}

// many returns count times bytes, at most maxArena.
func many(count, bytes int64) int64 {
	if bytes > 0 && count > maxArena/bytes {
		return maxArena
	}
	return count * bytes
}

// array allocates count blocks as one allocation.
func (s *arenaWalk) array(count int, b block) {
	s.persist(1, block{int64(count) * b.bytes, b.align}, s.temp)
}

// hold allocates temporary memory at the low end.
func (s *arenaWalk) hold(bytes, align int64) {
	s.temp = min(integer.RoundUp(s.temp, align)+bytes, maxArena)
	s.meet(s.temp, s.high)
}

// start replays the interpreter's own allocations.
func (s *arenaWalk) start() {
	t := s.layout
	s.enter("runtime objects", "the interpreter is made")
	for _, b := range t.objects {
		s.array(1, b)
	}
	if n := s.device.Variables(s.load.Kept); n > 0 {
		s.array(1, t.variables)
		s.persist(1, block{int64(n) * t.variable, arenaAlign}, s.temp)
	}
	if s.device.DecompressionMemory > 0 {
		s.persist(1, block{s.device.ABI.Pointer, arenaAlign}, s.temp) // the size of the used region
	}
	s.array(1, t.builtin)
	s.resize(requestsPerOperator)
}

// resize makes the low end large enough for a number of scratch requests, and frees all
// temporary memory.
func (s *arenaWalk) resize(requests int) {
	s.head = int64(requests) * s.layout.request
	s.temp, s.last, s.live = s.head, nil, nil
}

// initialise replays the persistent memory of each subgraph, tensor and operator, the parsed
// options, and the allocations of kernels in Init.
func (s *arenaWalk) initialise() {
	t, m := s.layout, s.load.Kept
	const stage = "the graph is set up"
	s.enter("subgraphs", stage)
	s.array(len(m.Subgraphs), t.subgraph)
	s.enter("eval tensors", stage)
	for i := range m.Subgraphs {
		s.array(len(m.Subgraphs[i].Tensors), t.evalTensor)
	}
	s.enter("nodes and registrations", stage)
	for i := range m.Subgraphs {
		s.array(len(m.Subgraphs[i].Operators), t.node)
	}
	s.enter("operator options", stage)
	kernels.Each(m, s.device.build(), func(k *kernels.Kernel) {
		if bytes, align := k.Options(); bytes > 0 {
			s.array(1, block{bytes, align})
		}
	})
	s.enter(KernelData, "operators are initialised")
	kernels.Each(m, s.device.build(), func(k *kernels.Kernel) { k.Init(s) })
}

// prepare replays the requests of kernels in Prepare. Scratch counts only as a request until it
// is planned.
func (s *arenaWalk) prepare() {
	stated := map[[2]int][]Request{}
	for _, r := range s.load.Requests {
		at := [2]int{r.Subgraph, r.Operator}
		stated[at] = append(stated[at], r)
	}
	requests := 0
	kernels.Each(s.load.Kept, s.device.build(), func(k *kernels.Kernel) {
		s.enter(KernelData, fmt.Sprintf("operator %d:%d %s is prepared", k.Subgraph, k.Operator, k.Name()))
		list := stated[[2]int{k.Subgraph, k.Operator}]
		if reason := k.Unknown(); reason != "" && len(list) == 0 {
			s.unknown = s.unknown.with(k, reason)
		}
		if k.FromSource() && !slices.Contains(s.fromSource, k.Name()) {
			s.fromSource = append(s.fromSource, k.Name())
		}
		k.Prepare(s)
		for _, r := range list {
			if r.Persistent > 0 {
				s.Keep(1, r.Persistent)
			}
		}
		requests += len(list)
		s.resize(requests + requestsPerOperator)
	})
}

// with adds an operator of the same kind.
func (u *Unknown) with(k *kernels.Kernel, reason string) *Unknown {
	if u == nil {
		u = &Unknown{}
	}
	for i := range u.Operators {
		if o := &u.Operators[i]; o.Name == k.Name() && o.Reason == reason {
			o.Operators++
			return u
		}
	}
	u.Operators = append(u.Operators, UnknownOperator{Subgraph: k.Subgraph, Operator: k.Operator, Name: k.Name(), Operators: 1, Reason: reason})
	return u
}

// Temporary makes arenaWalk a [kernels.Asker]. It allocates the struct of a tensor and of its
// quantisation.
func (s *arenaWalk) Temporary(t *tflite.Tensor) {
	structs := s.layout
	s.last, s.lastAt = t, integer.RoundUp(s.temp, structs.tensor.align)
	s.hold(structs.tensor.bytes, structs.tensor.align)
	if n := kernels.Scales(t); n > 0 {
		s.hold(structs.affine.bytes, structs.affine.align)
		s.hold(zeroPoints(n), 4)
	}
	s.Reads(kernels.Struct)
}

// An extent is a half-open range of addresses.
type extent struct{ start, end int64 }

// Reads sets the bytes of the last temporary tensor that are still read. To free it, the
// runtime reads the kind of its quantisation, which comes first, and the pointer to the zero
// points, the second word of the quantisation.
func (s *arenaWalk) Reads(part kernels.Part) {
	s.live = s.live[:0]
	used := extent{s.lastAt, s.lastAt + 4}
	switch {
	case part >= kernels.Struct:
		used.end = s.lastAt + s.layout.tensor.bytes
	case part == kernels.Type:
		used.end = s.lastAt + s.layout.typeEnd
	case part == kernels.Dims:
		used.end = s.lastAt + s.layout.dimsEnd
	}
	if n := kernels.Scales(s.last); n > 0 {
		word, affine := s.layout.affine.align, s.temp-zeroPoints(n)-s.layout.affine.bytes
		switch part {
		case kernels.Zeros:
			s.live = append(s.live, extent{affine, s.temp})
		case kernels.Axis:
			s.live = append(s.live, extent{affine, affine + 2*word + 4})
		default:
			s.live = append(s.live, extent{affine + word, affine + 2*word})
		}
	}
	s.live = append(s.live, used)
}

// room returns the lowest address at which persistent memory of the given size overwrites
// nothing that is still read.
func (s *arenaWalk) room(bytes int64) int64 {
	for _, e := range s.live {
		if at := (e.end - 1) / arenaAlign * arenaAlign; at+bytes > e.start {
			return e.end
		}
	}
	if s.last != nil {
		return s.lastAt
	}
	return s.head
}

// zeroPoints is the size of a count and the zero points, four bytes each.
func zeroPoints(scales int64) int64 { return 4 + 4*scales }

// Keep allocates persistent memory for a kernel. The runtime checks only that it does not reach
// the head, not the temporary memory, which is still in use.
func (s *arenaWalk) Keep(count, bytes int64) {
	s.persist(count, block{bytes, arenaAlign}, max(s.head, s.room(bytes)))
}

// Scratch allocates nothing yet.
func (s *arenaWalk) Scratch(int64) {}

// plan replays the runtime's memory while it plans the head.
func (s *arenaWalk) plan() {
	t, requests := s.layout, int64(len(s.load.Requests))
	const stage = "the memory is planned"
	s.enter("scratch handles", stage)
	if requests > 0 {
		s.array(int(requests), t.handle)
	}
	s.hold(s.device.ABI.Pointer*int64(len(s.load.Kept.Subgraphs)), s.device.ABI.Pointer)
	s.hold(t.info*(tensorCount(s.load.Kept)+requests), s.device.ABI.Pointer)
	s.enter("variables", stage)
	for i := range s.load.Kept.Subgraphs {
		tensors := s.load.Kept.Subgraphs[i].Tensors
		for j := range tensors {
			if tensors[j].Variable {
				s.persist(1, block{kernels.Bytes(&tensors[j]), arenaAlign}, s.temp)
			}
		}
	}
	buffers := int64(s.load.Planned) + requests
	if buffers == 0 {
		return // the planner needs nothing and does not check the available memory
	}
	s.meet(integer.RoundUp(s.temp, arenaAlign)+plannedBytes*buffers, integer.RoundUp(s.high, arenaAlign))
}

// finish replays the interpreter's memory for the inputs and outputs, above the planned head.
func (s *arenaWalk) finish() {
	s.head, s.temp = s.load.Head, s.load.Head
	s.enter("graph inputs and outputs", "the interpreter allocates the inputs and outputs, above the head")
	s.meet(s.head, s.high)
	if len(s.load.Kept.Subgraphs) == 0 {
		return
	}
	first := &s.load.Kept.Subgraphs[0]
	for _, list := range [][]int{first.Inputs, first.Outputs} {
		// An array without elements takes no bytes, but is aligned nevertheless.
		s.persist(1, block{s.device.ABI.Pointer * int64(len(list)), arenaAlign}, s.temp)
		for _, i := range list {
			if i >= 0 {
				s.end(&first.Tensors[i])
			}
		}
	}
}

// end allocates the persistent struct of an input or output, and of its quantisation.
func (s *arenaWalk) end(t *tflite.Tensor) {
	structs := s.layout
	s.array(1, structs.tensor)
	if n := kernels.Scales(t); n > 0 {
		s.array(1, structs.affine)
		s.array(1, block{zeroPoints(n), 4})
	}
}

func tensorCount(m *tflite.Model) (n int64) {
	for i := range m.Subgraphs {
		n += int64(len(m.Subgraphs[i].Tensors))
	}
	return n
}

// Variables returns the number of resource variables that the application reserves for a model.
func (d Device) Variables(m *tflite.Model) int {
	if d.ResourceVariables >= 0 {
		return d.ResourceVariables
	}
	names := map[string]bool{}
	for i := range m.Subgraphs {
		for j := range m.Subgraphs[i].Operators {
			if name, ok := op.VariableName(m, &m.Subgraphs[i].Operators[j]); ok {
				names[name] = true
			}
		}
	}
	return len(names)
}

// OperatorTail returns the persistent bytes of one operator of the reference library: its part
// of [Arena.Tail], without alignment padding. channels is the number of output channels of a
// convolution.
func OperatorTail(code schema.BuiltinOperator, channels int64, device Device) int64 {
	bytes := device.ABI.structs().node.bytes + kernels.Kept(code, device.build())
	switch code {
	case schema.BuiltinOperatorCONV_2D, schema.BuiltinOperatorDEPTHWISE_CONV_2D, schema.BuiltinOperatorTRANSPOSE_CONV:
		bytes += 2 * integer.RoundUp(4*channels, arenaAlign)
	}
	return bytes
}

// TensorTail returns the persistent bytes per tensor.
func TensorTail(device Device) int64 { return device.ABI.structs().evalTensor.bytes }

// TensorSetup returns the bytes per tensor while the runtime plans. planned reports whether the
// planner places the tensor.
func TensorSetup(device Device, planned bool) int64 {
	if planned {
		return device.ABI.structs().info + plannedBytes
	}
	return device.ABI.structs().info
}
