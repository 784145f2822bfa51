package export

import (
	"io"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/lifetime"

	"github.com/tflarena/tflarena/alloc"
)

// A picture of a model shows what its tensors are there for, and Plan.Model has to be of the plan's
// records.
func TestModel(t *testing.T) {
	p := solved(t, alloc.Shared)
	p.Title = "a model"
	p.Model = &Model{Steps: []string{"CONV_2D"}}
	p.Capacity = 1 << 20
	for range p.Records {
		p.Model.Roles = append(p.Model.Roles, lifetime.RoleScratch)
	}
	text := written(t, "svg", p)
	for _, want := range []string{">scratch of kernels<", ">0 CONV_2D<", ">capacity 1,048,576 B (1.00 MiB)<"} {
		if !strings.Contains(text, want) {
			t.Errorf("the picture does not say %s", want)
		}
	}
	p.Model.Roles = nil
	if err := Write(io.Discard, "svg", p); err == nil || !strings.Contains(err.Error(), "0 roles") {
		t.Errorf("a model of other records: %v", err)
	}
}
