package trace

import (
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/replay/internal/pickle"
)

// callers finds the function that a stack is charged to.
type callers struct {
	tree  *pickle.Tree
	known map[int32][2]string
}

func newCallers(t *pickle.Tree) *callers { return &callers{tree: t, known: map[int32][2]string{}} }

// skippedFrames has parts of the names of functions that record stacks or allocate for others: the
// innermost frames of C++ (torch/csrc/profiler/unwind, torch/csrc/profiler/combined_traceback.cpp,
// c10/cuda).
var skippedFrames = []string{"torch::unwind::", "CapturedTraceback", "gather_with_cpp", "CachingAllocator"}

// of returns the function and the file of the innermost frame of user code in Python, else of PyTorch's
// Python code, else of any code, as in the backward pass, whose threads run no Python. Frames of the
// machinery come last.
func (c *callers) of(stack int32) (function, file string) {
	if stack < 0 {
		return "", ""
	}
	found, known := c.known[stack]
	if !known {
		found = c.find(int(stack))
		c.known[stack] = found
	}
	return found[0], found[1]
}

func (c *callers) find(stack int) (best [2]string) {
	rank := 0
	for _, frame := range c.tree.ListOf(stack) {
		name, _ := c.tree.Get(frame, "name")
		filename, _ := c.tree.Get(frame, "filename")
		file := c.tree.Text(filename)
		function, r := c.tree.Text(name), 2
		switch {
		case strings.HasSuffix(file, ".py") && !strings.Contains(file, "/torch/"):
			r = 4
		case strings.HasSuffix(file, ".py"):
			r = 3
		case slices.ContainsFunc(skippedFrames, func(part string) bool { return strings.Contains(function, part) }):
			r = 1
		}
		if r > rank {
			rank, best = r, [2]string{function, file}
		}
		if r == 4 {
			break
		}
	}
	return best
}
