package trace

import (
	"strings"

	"github.com/tflarena/tflarena/internal/pickle"
)

// callers finds the function that is to blame for a stack.
type callers struct {
	tree  *pickle.Tree
	known map[int32][2]string
}

func newCallers(t *pickle.Tree) *callers { return &callers{tree: t, known: map[int32][2]string{}} }

// of returns the function and the file of the innermost frame of the user's own Python code, or
// else of PyTorch's, or else of any.
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
		r := 1
		switch {
		case strings.HasSuffix(file, ".py") && !strings.Contains(file, "/torch/"):
			r = 3
		case strings.HasSuffix(file, ".py"):
			r = 2
		}
		if r > rank {
			rank, best = r, [2]string{c.tree.Text(name), file}
		}
		if r == 3 {
			break
		}
	}
	return best
}
