package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/budget"
)

// budgets reads the limits of the budget file, if any, and of the flags.
func (p *program) budgets(c *cli.Context) (*budget.File, budget.Limits, error) {
	var flags budget.Limits
	for _, f := range []struct {
		name  string
		limit **budget.Size
	}{{"max-arena", &flags.Arena}, {"max-head", &flags.Head}, {"max-tensor", &flags.Tensor}} {
		if !c.IsSet(f.name) {
			continue
		}
		n, err := sizeOf(c, f.name, 0)
		if err != nil {
			return nil, flags, err
		}
		size := budget.Size(n)
		*f.limit = &size
	}
	if err := growthFlags(c, &flags); err != nil {
		return nil, flags, err
	}
	path := c.String("budget")
	if path == "" {
		return &budget.File{}, flags, nil
	}
	data, err := readFile(c.Context, path, acceptText)
	if err != nil {
		return nil, flags, err
	}
	file, err := budget.Parse(data, path)
	if err != nil {
		err = fmt.Errorf("%w; '%s help budgets' has an example", err, name)
	}
	return file, flags, named(path, err)
}
