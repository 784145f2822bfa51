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

// An Arena is what the arena of TensorFlow Lite Micro holds on one device, in bytes.
type Arena struct {
	// Figures count nothing for operators whose requests are not known, and are too small then. Required exceeds
	// Used where the runtime needs more for a while than it keeps.
	Figures
	// Decides says at which point the runtime needs most memory.
	Decides string
	// Parts are what the tail consists of.
	Parts []Part
	// Setup is what Required would be if the planner had nothing to place.
	Setup int64
	// FromSource names the operators whose requests were read from the source of their kernels,
	// and not seen in a run.
	FromSource []string
}

// KernelData is the name of the [Part] that kernels ask for, apart from options.
const KernelData = "kernel data"

// A Part is one item of the tail.
type Part struct {
	// Name is a stable name, such as "eval tensors".
	Name string
	// Bytes is its size, which includes what is lost to alignment in front of it.
	Bytes int64
}

// maxArena keeps sums of sizes inside an int64. No arena is that large.
const maxArena = int64(1) << 60

// A Load is what an arena has to hold, apart from what follows from the model and the
// device alone.
type Load struct {
	// Kept is the model in which only those variables are left that lie in the tail.
	Kept *tflite.Model
	// Planned counts the tensors that the planner places. Head is the size in bytes of the
	// part of the arena that these tensors and the requests take.
	Planned int
	Head    int64
	// Requests are the scratch that the kernels ask for.
	Requests []Request
}

// Arena returns what the arena holds. It goes through the allocations of the runtime one
// after another: those at the high end, each at an address rounded down to its alignment,
// and those that lie at the low end at the same time. An arena is large enough when the two
// ends never meet. (SingleArenaBufferAllocator, MicroAllocator and MicroInterpreterGraph of
// tflite-micro 90b983c, with its reference kernels.)
func (l Load) Arena(device Device) Arena {
	return l.arena(device, func(int64, block) {})
}

// arena is [Load.Arena], and calls persisted with each allocation that is made for good.
func (l Load) arena(device Device, persisted func(count int64, b block)) Arena {
	s := &arenaWalk{load: &l, device: &device, layout: device.structs(), parts: map[string]int64{}, persisted: persisted}
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

// whole rounds the size of an arena up.
func whole(bytes int64) int64 { return integer.RoundUp(min(bytes, maxArena), arenaAlign) }

const (
	// arenaAlign is what the planner, the kernels' memory and the arena are aligned to.
	arenaAlign = 16
	// requestsPerOperator is how many requests of scratch the runtime makes room for
	// while it prepares an operator.
	requestsPerOperator = 12
	// plannedBytes is what the planner needs for each buffer while it plans.
	plannedBytes = 40
)

// arenaWalk goes through the allocations. high is what is taken at the high end, low what
// is taken at the low end up to the head; temp is the end of the temporary memory above it.
type arenaWalk struct {
	load   *Load
	device *Device
	layout *structs

	high, head, temp int64
	// last is the last temporary tensor, at the address lastAt. live are the bytes of it that are
	// still read, from the top down: persistent memory may overwrite the others.
	last   *tflite.Tensor
	lastAt int64
	live   []extent

	need       int64
	stage      string // what is going on, for decides
	decides    string
	names      []string
	parts      map[string]int64
	part       string
	unknown    *Unknown
	fromSource []string
	// persisted is called with each allocation at the high end.
	persisted func(count int64, b block)
}

// enter says what part of the tail comes now, and during which stage.
func (s *arenaWalk) enter(part, stage string) {
	s.part, s.stage = part, stage
	if _, seen := s.parts[part]; !seen && part != "" {
		s.names = append(s.names, part)
		s.parts[part] = 0
	}
}

// meet notes what the arena must have for both ends.
func (s *arenaWalk) meet(low, high int64) {
	if n := min(low, maxArena) + min(high, maxArena); n > s.need {
		s.need, s.decides = n, s.stage
	}
}

// persist takes memory at the high end, count times, while something lies below low.
func (s *arenaWalk) persist(count int64, b block, low int64) {
	if count <= 0 {
		return
	}
	s.persisted(count, b)
	before := s.high
	// Each but the first begins at its alignment, and so takes its size rounded up.
	s.high = integer.RoundUp(s.high+b.bytes, b.align)
	s.high = min(s.high+many(count-1, integer.RoundUp(b.bytes, b.align)), maxArena)
	s.parts[s.part] += s.high - before
	s.meet(low, s.high)
}

// many is count times bytes, as far as it counts.
func many(count, bytes int64) int64 {
	if bytes > 0 && count > maxArena/bytes {
		return maxArena
	}
	return count * bytes
}

// array takes memory for count blocks as one allocation.
func (s *arenaWalk) array(count int, b block) {
	s.persist(1, block{int64(count) * b.bytes, b.align}, s.temp)
}

// hold takes temporary memory at the low end.
func (s *arenaWalk) hold(bytes, align int64) {
	s.temp = min(integer.RoundUp(s.temp, align)+bytes, maxArena)
	s.meet(s.temp, s.high)
}

// start is what the interpreter allocates for itself.
func (s *arenaWalk) start() {
	t := s.layout
	s.enter("runtime objects", "the interpreter is made")
	for _, b := range t.objects {
		s.array(1, b)
	}
	n := s.device.ResourceVariables
	if n < 0 {
		n = resourceVariables(s.load.Kept)
	}
	if n > 0 {
		s.array(1, t.variables)
		s.persist(1, block{int64(n) * t.variable, arenaAlign}, s.temp)
	}
	if s.device.DecompressionMemory > 0 {
		s.persist(1, block{s.device.Pointer, arenaAlign}, s.temp) // how much of the region is taken
	}
	s.array(1, t.builtin)
	s.resize(requestsPerOperator)
}

// resize makes the low end large enough for a number of scratch requests, and gives back
// all that is temporary.
func (s *arenaWalk) resize(requests int) {
	s.head = int64(requests) * s.layout.request
	s.temp, s.last, s.live = s.head, nil, nil
}

// initialise is what the runtime keeps for each subgraph, tensor and operator, the options
// that it parses, and what kernels keep from Init on.
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
	kernels.Each(m, s.device.build, func(k *kernels.Kernel) {
		if bytes, align := k.Options(); bytes > 0 {
			s.array(1, block{bytes, align})
		}
	})
	s.enter(KernelData, "operators are initialised")
	kernels.Each(m, s.device.build, func(k *kernels.Kernel) { k.Init(s) })
}

// prepare is what kernels ask for in Prepare. Of scratch, room for the requests is all that
// counts until it is planned.
func (s *arenaWalk) prepare() {
	stated := map[[2]int][]Request{}
	for _, r := range s.load.Requests {
		at := [2]int{r.Subgraph, r.Operator}
		stated[at] = append(stated[at], r)
	}
	requests := 0
	kernels.Each(s.load.Kept, s.device.build, func(k *kernels.Kernel) {
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

// with adds an operator to those of its kind.
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

// Temporary makes arenaWalk a [kernels.Asker]: a struct for a tensor, and for its quantisation.
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

// Reads finds out which bytes of the last temporary tensor are still read. To free it the runtime
// reads the kind of its quantisation, which comes first, and the pointer to the zero points, which is
// the second word of the quantisation.
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

// room returns the lowest address from which on persistent memory of a number of bytes overwrites
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

// zeroPoints is a count and the zero points, four bytes each.
func zeroPoints(scales int64) int64 { return 4 + 4*scales }

// Keep takes persistent memory for a kernel. The runtime looks only whether it runs into
// the head, not into what is temporary; but that is still in use.
func (s *arenaWalk) Keep(count, bytes int64) {
	s.persist(count, block{bytes, arenaAlign}, max(s.head, s.room(bytes)))
}

// Scratch takes nothing yet.
func (s *arenaWalk) Scratch(int64) {}

// plan is what the runtime needs while it plans the head.
func (s *arenaWalk) plan() {
	t, requests := s.layout, int64(len(s.load.Requests))
	const stage = "the memory is planned"
	s.enter("scratch handles", stage)
	if requests > 0 {
		s.array(int(requests), t.handle)
	}
	s.hold(s.device.Pointer*int64(len(s.load.Kept.Subgraphs)), s.device.Pointer)
	s.hold(t.info*(tensorCount(s.load.Kept)+requests), s.device.Pointer)
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
		return // the planner needs nothing, and does not look what there is
	}
	s.meet(integer.RoundUp(s.temp, arenaAlign)+plannedBytes*buffers, integer.RoundUp(s.high, arenaAlign))
}

// finish is what the interpreter keeps of the inputs and outputs, above the planned head.
func (s *arenaWalk) finish() {
	s.head, s.temp = s.load.Head, s.load.Head
	s.enter("graph inputs and outputs", "inputs and outputs are set up above the head")
	s.meet(s.head, s.high)
	if len(s.load.Kept.Subgraphs) == 0 {
		return
	}
	first := &s.load.Kept.Subgraphs[0]
	for _, list := range [][]int{first.Inputs, first.Outputs} {
		// An array without elements takes no bytes, but is aligned all the same.
		s.persist(1, block{s.device.Pointer * int64(len(list)), arenaAlign}, s.temp)
		for _, i := range list {
			if i >= 0 {
				s.end(&first.Tensors[i])
			}
		}
	}
}

// end keeps the struct of an input or output, and of its quantisation.
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

// resourceVariables counts the names of the model's resource variables.
func resourceVariables(m *tflite.Model) int {
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

// OperatorTail returns the bytes that the runtime keeps for good for one operator of the
// reference library: its part of [Arena.Tail], without what alignment adds. channels is the
// number of output channels of a convolution.
func OperatorTail(code schema.BuiltinOperator, channels int64, device Device) int64 {
	bytes := device.structs().node.bytes + kernels.Kept(code, device.build)
	switch code {
	case schema.BuiltinOperatorCONV_2D, schema.BuiltinOperatorDEPTHWISE_CONV_2D, schema.BuiltinOperatorTRANSPOSE_CONV:
		bytes += 2 * integer.RoundUp(4*channels, arenaAlign)
	}
	return bytes
}

// TensorTail returns the bytes that the runtime keeps for good for each tensor.
func TensorTail(device Device) int64 { return device.structs().evalTensor.bytes }

// TensorSetup returns the bytes that the runtime needs for one tensor while it plans.
// planned says whether the planner places the tensor.
func TensorSetup(device Device, planned bool) int64 {
	if planned {
		return device.structs().info + plannedBytes
	}
	return device.structs().info
}
