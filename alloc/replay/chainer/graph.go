package chainer

// workspaceBytes is the workspace of a convolution while it runs.
const workspaceBytes = 8 << 20

// A graph is a network: tensors with their sizes for one picture, and functions.
type graph struct {
	tensors   []tensor
	functions []function
}

type tensor struct{ channels, height, width int }

func (t tensor) elements() int64 {
	return int64(t.channels) * int64(max(t.height, 1)) * int64(max(t.width, 1))
}

// A function makes one tensor. Backward, it needs those that it retains, and extra bytes
// for each element of its output, such as masks and indexes.
type function struct {
	name             string
	inputs, retained []int
	output           int
	workspace        bool
	extra            int64
}

func (c *graph) newTensor(channels, height, width int) int {
	c.tensors = append(c.tensors, tensor{channels, height, width})
	return len(c.tensors) - 1
}

func (c *graph) add(f function, channels, height, width int) int {
	f.output = c.newTensor(channels, height, width)
	c.functions = append(c.functions, f)
	return f.output
}

// conv is a convolution with a window of kh by kw.
func (c *graph) conv2(x, channels, kh, kw, stride, padH, padW int) int {
	t := c.tensors[x]
	h, w := (t.height+2*padH-kh)/stride+1, (t.width+2*padW-kw)/stride+1
	return c.add(function{name: "convolution", inputs: []int{x}, retained: []int{x}, workspace: true}, channels, h, w)
}

func (c *graph) conv(x, channels, k, stride, pad int) int {
	return c.conv2(x, channels, k, k, stride, pad, pad)
}

// relu retains its output, and so its input is free.
func (c *graph) relu(x int) int {
	t := c.tensors[x]
	return c.add(function{name: "relu", inputs: []int{x}, retained: []int{len(c.tensors)}}, t.channels, t.height, t.width)
}

// norm is a normalisation of batches or of neighbours, which retains its input.
func (c *graph) norm(x int, extra int64) int {
	t := c.tensors[x]
	return c.add(function{name: "normalisation", inputs: []int{x}, retained: []int{x, len(c.tensors)}, extra: extra}, t.channels, t.height, t.width)
}

// pool covers everything, as Chainer's poolings do.
func (c *graph) pool(x, k, stride, pad int) int {
	t := c.tensors[x]
	h := (t.height + 2*pad - k + stride - 1) / stride
	w := (t.width + 2*pad - k + stride - 1) / stride
	return c.add(function{name: "pooling", inputs: []int{x}, retained: []int{x, len(c.tensors)}}, t.channels, h+1, w+1)
}

func (c *graph) linear(x, channels int) int {
	return c.add(function{name: "linear", inputs: []int{x}, retained: []int{x}}, channels, 1, 1)
}

// dropout keeps a mask of one float for each element.
func (c *graph) dropout(x int) int {
	t := c.tensors[x]
	return c.add(function{name: "dropout", inputs: []int{x}, extra: 4}, t.channels, t.height, t.width)
}

func (c *graph) concat(inputs ...int) int {
	t := c.tensors[inputs[0]]
	channels := 0
	for _, x := range inputs {
		channels += c.tensors[x].channels
	}
	return c.add(function{name: "concat", inputs: inputs}, channels, t.height, t.width)
}

func (c *graph) sum(x, y int) int {
	t := c.tensors[x]
	return c.add(function{name: "sum", inputs: []int{x, y}}, t.channels, t.height, t.width)
}

// run records one pass over a network: forward alone, or with the gradients of all tensors.
func (c *graph) run(r *recorder, batch int64, train bool) {
	last := c.lastUse(train)
	bytes := func(t int) int64 { return 4 * batch * c.tensors[t].elements() }
	data, grad, extra := map[int]uint64{}, map[int]uint64{}, map[int]uint64{}
	data[0] = r.alloc("pictures", bytes(0))
	labels := r.alloc("labels", 4*batch)
	n := len(c.functions)
	release := func(step int) {
		for t := range c.tensors {
			if last[t] == step && t != 0 {
				r.free(data[t])
			}
		}
	}
	work := func(f function) {
		if f.workspace {
			r.free(r.alloc("workspace", workspaceBytes))
		}
	}
	for i, f := range c.functions {
		data[f.output] = r.alloc(f.name, bytes(f.output))
		if f.extra > 0 && train {
			extra[i] = r.alloc(f.name, f.extra*batch*c.tensors[f.output].elements())
		}
		work(f)
		release(i)
	}
	const backward = " backward"
	if train {
		grad[c.functions[n-1].output] = r.alloc("loss"+backward, bytes(c.functions[n-1].output))
	}
	for i := n - 1; train && i >= 0; i-- {
		f := c.functions[i]
		for _, x := range f.inputs {
			if x == 0 {
				work(f)
				continue // nobody requests the gradient of a picture
			}
			g := r.alloc(f.name+backward, bytes(x))
			work(f)
			if other, more := grad[x]; more { // of another function that reads the same tensor
				both := r.alloc("sum of gradients", bytes(x))
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
func (c *graph) lastUse(train bool) []int {
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
