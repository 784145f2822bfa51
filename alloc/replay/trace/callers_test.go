package trace

import (
	"context"
	"math/rand"
	"testing"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/replay"
)

// TestCallers: memory is charged to the user, or else to PyTorch, and to the recorder and the allocator
// only without any of these.
func TestCallers(t *testing.T) {
	recorder := [][2]string{
		{"torch::unwind::unwind()", "??"},
		{"torch::CapturedTraceback::gather(bool, bool, bool)", "??"},
		{"c10::cuda::CUDACachingAllocator::Native::DeviceCachingAllocator::malloc", "CUDACachingAllocator.cpp"},
	}
	autograd := [][2]string{{"torch::autograd::generated::DivBackward0::apply(std::vector<at::Tensor>&&)", "??"}, {"torch::autograd::Engine::thread_main", "??"}}
	user, torch := [2]string{"forward", "/home/me/model.py"}, [2]string{"conv2d", "/lib/torch/nn/functional.py"}
	for _, c := range []struct {
		frames [][2]string
		want   [2]string
	}{
		{append(recorder[:3:3], autograd...), autograd[0]},
		{append(append(recorder[:3:3], autograd[0]), user), user},
		{append(append(recorder[:3:3], torch), user), user},
		{append(append(recorder[:3:3], autograd[0]), torch), torch},
		{recorder, recorder[0]},
		{autograd[1:], autograd[1]},
	} {
		p := &pickler{texts: map[string]int{}}
		p.op(0x80, 4, '}')
		p.mark()
		p.op('(')
		p.text("stack")
		p.op(']', '(')
		for _, frame := range c.frames {
			p.op('}', '(')
			p.text("name")
			p.text(frame[0])
			p.text("filename")
			p.text(frame[1])
			p.op('u')
		}
		p.op('e')
		stack := p.mark()
		p.text("device_traces")
		p.op(']', ']', '(')
		p.event("alloc", 512, 512, 1, stack)
		p.op('e', 'a', 'u', '.')
		f, err := Read(p.Bytes(), nil)
		if err != nil {
			t.Fatal(err)
		}
		profile, err := f.Profile(f.Devices[0], f.Granule)
		if err != nil {
			t.Fatal(err)
		}
		holders, _ := profile.Holders(f.Trace, profile.Figures().PeakEvent)
		if len(holders) != 1 || [2]string{holders[0].Function, holders[0].File} != c.want {
			t.Errorf("%v: %+v", c.want, holders)
		}
	}
}

// A weaver writes a snapshot whose lists and dicts are shared, hold themselves, or stand in the place of others, as
// a random number generator says.
type weaver struct {
	*pickler
	*rand.Rand
	// odd is one in how many values that are of no right kind, and steps how many values there may be.
	odd, steps int
	// made are the values of each kind, by their numbers in the memo.
	made map[string][]int
}

// wovenKinds are what dicts and lists hold: a list of a kind begins with "[".
var wovenKinds = map[string][][2]string{
	"snapshot": {{"segments", "[segment"}, {"device_traces", "[[event"}, {"external_annotations", "[annotation"}},
	"segment":  {{"address", "address"}, {"total_size", "size"}, {"device", "small"}, {"stream", "small"}, {"blocks", "[block"}, {"segment_pool_id", "[small"}},
	"block":    {{"address", "address"}, {"size", "size"}, {"requested_size", "size"}, {"state", "state"}, {"frames", "[frame"}, {"history", "[event"}},
	"event":    {{"action", "action"}, {"addr", "address"}, {"size", "size"}, {"stream", "small"}, {"time_us", "size"}, {"frames", "[frame"}},
	"frame":    {{"name", "text"}, {"filename", "text"}, {"line", "small"}},

	"annotation": {{"stage", "text"}, {"name", "text"}, {"device", "small"}, {"time_us", "size"}},
}

// wovenWords are the texts of a kind.
var wovenWords = map[string][]string{
	"action": {"alloc", "alloc", "alloc", "free_completed", "free_requested", "segment_alloc", "segment_free", "segment_map", "oom", "snapshot"},
	"state":  {"active_allocated", "inactive", "active_awaiting_free"}, "text": {"f", "model.py", "/torch/nn.py", "??", "START", "END", "a\x1b[2J\n", "torch::unwind::unwind()"},
}

// value writes a value of a kind, another one, or one that was made before.
func (w *weaver) value(kind string) {
	w.steps--
	if one := w.made[kind]; len(one) > 0 && (w.steps < 0 || w.Intn(6) == 0) {
		w.get(one[w.Intn(len(one))])
		return
	}
	if w.odd > 0 && w.memo > 0 && w.Intn(w.odd) == 0 {
		w.get(w.Intn(w.memo)) // it may be one that holds this one
		return
	}
	switch fields, list := wovenKinds[kind], wovenWords[kind]; {
	case fields != nil:
		w.op('}')
		w.made[kind] = append(w.made[kind], w.mark())
		w.op('(')
		for _, f := range fields {
			if w.Intn(20) > 0 {
				w.text(f[0])
				w.value(f[1])
			}
		}
		w.op('u')
	case list != nil:
		w.text(list[w.Intn(len(list))])
	case kind == "small":
		w.number(int64(w.Intn(3)))
	case kind == "address":
		w.number(int64(512 * (1 + w.Intn(40))))
	case kind == "size":
		w.number(int64(w.Intn(2048)) << (w.Intn(5) * w.Intn(9)))
	default:
		w.op(']')
		w.made[kind] = append(w.made[kind], w.mark())
		w.op('(')
		for range w.Intn(5) {
			w.value(kind[1:])
		}
		w.op('e')
	}
}

// woven returns a snapshot of about so many values.
func woven(seed int64, steps int) []byte {
	r := rand.New(rand.NewSource(seed))
	w := &weaver{pickler: &pickler{texts: map[string]int{}}, Rand: r, odd: []int{0, 0, 50, 10}[r.Intn(4)], steps: steps, made: map[string][]int{}}
	w.op(0x80, 4)
	w.value("snapshot")
	w.op('.')
	return w.Bytes()
}

// use does with a trace all that the command does.
func use(t *testing.T, data []byte) (read bool) {
	t.Helper()
	file, err := readBounded(t, "woven", data)
	if err != nil {
		return false
	}
	for _, d := range file.Devices {
		p, err := file.Profile(d, file.Granule)
		if err != nil {
			continue
		}
		p.Holders(file.Trace, p.Figures().PeakEvent)
		opt := replay.Options{Solve: alloc.Options{Strategy: "greedy-by-size"}}
		_, _ = p.Plan(context.Background(), opt)
		_, _ = p.Iterations(context.Background(), opt)
	}
	return true
}

// TestWoven: snapshots with shared lists, and with lists that hold themselves, are read or refused in memory that
// the size of the file bounds.
func TestWoven(t *testing.T) {
	count, read := 6000, 0
	if testing.Short() {
		count = 2000
	}
	for seed := range count {
		if use(t, woven(int64(seed), 10+seed%400)) {
			read++
		}
	}
	if read < count/100 {
		t.Errorf("%d of %d snapshots were read", read, count)
	}
}

// FuzzWoven is [TestWoven] with bytes changed as a fuzzer likes.
func FuzzWoven(f *testing.F) {
	for seed := range 50 {
		f.Add(woven(int64(seed), 10+8*seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) { use(t, data) })
}
