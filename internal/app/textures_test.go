package app_test

import (
	"testing"

	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/testkit/builtin"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/models"
)

// TestTexturesOfNetworks compares two ways to count the memory of a GPU: the textures of tensors, and the sizes in
// bytes that the rules of the GPU delegate give them, with channels in groups of four.
func TestTexturesOfNetworks(t *testing.T) {
	tensors := 0
	for _, network := range models.List() {
		name := network.Name
		m := builtin.Model(t, name)
		v, err := rules.Paper().View(m, -1)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := app.TensorsOf(v).PlanTextures(t.Context(), "growing")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(plan.Notes) > 0 || len(plan.Placements) != len(v.Records()) {
			t.Errorf("%s: %d placements of %d tensors, %v", name, len(plan.Placements), len(v.Records()), plan.Notes)
			continue
		}
		for i, r := range v.Records() {
			if tensors++; plan.Placements[i].SizeBytes != r.Size {
				t.Errorf("%s: %s has %d bytes of texels, %d as channels", name, r.ID, plan.Placements[i].SizeBytes, r.Size)
			}
		}
	}
	if tensors < 500 {
		t.Errorf("only %d tensors", tensors)
	}
}
