package tflite

import (
	"fmt"
	"strings"
)

// maxCallDepth bounds the nesting of subgraph calls, so that callers may walk them recursively.
// Real models stay below ten.
const maxCallDepth = 1000

// checkCalls rejects subgraphs that call themselves, which no runtime can run, and calls nested
// deeper than maxCallDepth.
func (d *decoder) checkCalls() error {
	c := callGraph{m: d.m, height: make([]int, len(d.m.Subgraphs))}
	for s := range d.m.Subgraphs {
		if err := c.visit(s); err != nil {
			return err
		}
	}
	return nil
}

// A callGraph computes the height of every subgraph: one more than its highest callee, zero if
// not known yet, and entered while in progress.
type callGraph struct {
	m      *Model
	height []int
	stack  []int
}

const entered = -1

func (c *callGraph) visit(s int) error {
	if c.height[s] != 0 {
		return nil
	}
	c.height[s] = entered
	c.stack = append(c.stack, s)
	height := 1
	for i := range c.m.Subgraphs[s].Operators {
		o := &c.m.Subgraphs[s].Operators[i]
		for _, callee := range o.Subgraphs {
			if err := c.call(s, o, callee); err != nil {
				return err
			}
			height = max(height, c.height[callee]+1)
		}
	}
	c.height[s] = height
	c.stack = c.stack[:len(c.stack)-1]
	return nil
}

// call visits a callee; o is the operator named in errors.
func (c *callGraph) call(s int, o *Operator, callee int) error {
	if c.height[callee] == entered {
		return c.fail(s, o, "subgraphs call each other in a circle: "+c.cycle(callee))
	}
	if len(c.stack) >= maxCallDepth {
		return c.fail(s, o, "subgraphs call each other too deeply")
	}
	if err := c.visit(callee); err != nil {
		return err
	}
	if c.height[callee] >= maxCallDepth {
		return c.fail(s, o, "subgraphs call each other too deeply")
	}
	return nil
}

func (c *callGraph) fail(s int, o *Operator, problem string) error {
	return &Error{Path: OperatorPath(s, o.Index), Offset: int64(o.table.Table().Pos), Problem: problem}
}

// cycle formats the calls from a subgraph on the stack back to it, at most ten.
func (c *callGraph) cycle(callee int) string {
	first := len(c.stack) - 1
	for c.stack[first] != callee {
		first--
	}
	var text strings.Builder
	for i, s := range c.stack[first:] {
		if i == 10 {
			text.WriteString("... -> ")
			break
		}
		fmt.Fprintf(&text, "%d -> ", s)
	}
	fmt.Fprintf(&text, "%d", callee)
	return text.String()
}
