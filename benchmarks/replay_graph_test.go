package benchmarks

import (
	"fmt"

	"github.com/tflarena/tflarena/alloc/replay"
)

// The traces of Sekiyama et al. 2018 are not published. Those here are of the same networks, with
// requests in the order in which Chainer 3 makes them: the output of each function, and for a
// convolution a workspace of 8 MiB while it runs. A tensor is released when nobody needs it.
const workspaceBytes = 8 << 20

// A chained is a network on its way: tensors with their sizes for one picture, and functions.
type chained struct {
	tensors   []chainedTensor
	functions []chainedFunction
}

type chainedTensor struct{ channels, height, width int }

func (t chainedTensor) elements() int64 {
	return int64(t.channels) * int64(max(t.height, 1)) * int64(max(t.width, 1))
}

// A chainedFunction makes one tensor. Backward, it needs those that it retains, and extra bytes
// for each element of its output, such as masks and indexes.
type chainedFunction struct {
	inputs, retained []int
	output           int
	workspace        bool
	extra            int64
}

func (c *chained) tensor(channels, height, width int) int {
	c.tensors = append(c.tensors, chainedTensor{channels, height, width})
	return len(c.tensors) - 1
}

func (c *chained) add(f chainedFunction, channels, height, width int) int {
	f.output = c.tensor(channels, height, width)
	c.functions = append(c.functions, f)
	return f.output
}

// conv is a convolution with a window of kh by kw.
func (c *chained) conv2(x, channels, kh, kw, stride, padH, padW int) int {
	t := c.tensors[x]
	h, w := (t.height+2*padH-kh)/stride+1, (t.width+2*padW-kw)/stride+1
	return c.add(chainedFunction{inputs: []int{x}, retained: []int{x}, workspace: true}, channels, h, w)
}

func (c *chained) conv(x, channels, k, stride, pad int) int {
	return c.conv2(x, channels, k, k, stride, pad, pad)
}

// relu retains its output, and so its input is free.
func (c *chained) relu(x int) int {
	t := c.tensors[x]
	return c.add(chainedFunction{inputs: []int{x}, retained: []int{len(c.tensors)}}, t.channels, t.height, t.width)
}

// norm is a normalisation of batches or of neighbours, which retains its input.
func (c *chained) norm(x int, extra int64) int {
	t := c.tensors[x]
	return c.add(chainedFunction{inputs: []int{x}, retained: []int{x, len(c.tensors)}, extra: extra}, t.channels, t.height, t.width)
}

// pool covers everything, as Chainer's poolings do.
func (c *chained) pool(x, k, stride, pad int) int {
	t := c.tensors[x]
	h := (t.height + 2*pad - k + stride - 1) / stride
	w := (t.width + 2*pad - k + stride - 1) / stride
	return c.add(chainedFunction{inputs: []int{x}, retained: []int{x, len(c.tensors)}}, t.channels, h+1, w+1)
}

func (c *chained) linear(x, channels int) int {
	return c.add(chainedFunction{inputs: []int{x}, retained: []int{x}}, channels, 1, 1)
}

// dropout keeps a mask of one float for each element.
func (c *chained) dropout(x int) int {
	t := c.tensors[x]
	return c.add(chainedFunction{inputs: []int{x}, extra: 4}, t.channels, t.height, t.width)
}

func (c *chained) concat(inputs ...int) int {
	t := c.tensors[inputs[0]]
	channels := 0
	for _, x := range inputs {
		channels += c.tensors[x].channels
	}
	return c.add(chainedFunction{inputs: inputs}, channels, t.height, t.width)
}

func (c *chained) sum(x, y int) int {
	t := c.tensors[x]
	return c.add(chainedFunction{inputs: []int{x, y}}, t.channels, t.height, t.width)
}

// recorder makes events of requests and releases.
type recorder struct {
	d    *replay.Device
	next uint64
}

func newRecorder() *recorder {
	return &recorder{d: &replay.Device{Lanes: []replay.Lane{{}}, Name: func(b uint64) string { return fmt.Sprint(b) }}}
}

func (r *recorder) alloc(bytes int64) uint64 {
	r.next++
	r.d.Events = append(r.d.Events, replay.Event{Kind: replay.Alloc, Block: r.next, Size: bytes, Stack: -1})
	return r.next
}

func (r *recorder) free(block uint64) {
	for i := len(r.d.Events) - 1; i >= 0; i-- {
		if e := r.d.Events[i]; e.Block == block && e.Kind == replay.Alloc {
			r.d.Events = append(r.d.Events, replay.Event{Kind: replay.Free, Block: block, Size: e.Size, Stack: -1})
			return
		}
	}
}

func (r *recorder) step() {
	r.d.Events = append(r.d.Events, replay.Event{Kind: replay.Step, Stack: -1})
}

// run records one pass over a network: forward alone, or with the gradients of all tensors.
func (c *chained) run(r *recorder, batch int64, train bool) {
	last := c.lastUse(train)
	bytes := func(t int) int64 { return 4 * batch * c.tensors[t].elements() }
	data, grad, extra := map[int]uint64{}, map[int]uint64{}, map[int]uint64{}
	data[0] = r.alloc(bytes(0))
	labels := r.alloc(4 * batch)
	n := len(c.functions)
	release := func(step int) {
		for t := range c.tensors {
			if last[t] == step && t != 0 {
				r.free(data[t])
			}
		}
	}
	work := func(f chainedFunction) {
		if f.workspace {
			r.free(r.alloc(workspaceBytes))
		}
	}
	for i, f := range c.functions {
		data[f.output] = r.alloc(bytes(f.output))
		if f.extra > 0 && train {
			extra[i] = r.alloc(f.extra * batch * c.tensors[f.output].elements())
		}
		work(f)
		release(i)
	}
	if train {
		grad[c.functions[n-1].output] = r.alloc(bytes(c.functions[n-1].output))
	}
	for i := n - 1; train && i >= 0; i-- {
		f := c.functions[i]
		for _, x := range f.inputs {
			if x == 0 {
				work(f)
				continue // nobody asks for the gradient of a picture
			}
			g := r.alloc(bytes(x))
			work(f)
			if other, more := grad[x]; more { // of another function that reads the same tensor
				both := r.alloc(bytes(x))
				r.free(other)
				r.free(g)
				g = both
			}
			grad[x] = g
		}
		r.free(grad[f.output])
		if extra[i] != 0 {
			r.free(extra[i])
		}
		release(2*n - 1 - i)
	}
	r.free(data[0])
	r.free(labels)
	r.step()
}

// lastUse returns the step at which each tensor is needed last: functions are steps 0 to n-1, and
// backward n to 2n-1.
func (c *chained) lastUse(train bool) []int {
	last := make([]int, len(c.tensors))
	for i, f := range c.functions {
		last[f.output] = max(last[f.output], i)
		for _, x := range f.inputs {
			last[x] = max(last[x], i)
		}
	}
	n := len(c.functions)
	for i, f := range c.functions {
		if !train {
			break
		}
		for _, x := range f.retained {
			last[x] = max(last[x], 2*n-1-i)
		}
	}
	if train { // the loss is needed until backward begins
		out := c.functions[n-1].output
		last[out] = max(last[out], n)
	}
	return last
}
