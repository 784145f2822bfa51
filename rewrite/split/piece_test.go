package split

import (
	"testing"

	"github.com/tflarena/tflarena/tflite"
)

func TestIsPiece(t *testing.T) {
	label := func(r region) string { return "a/" + string(picture{10, 20, 3}.label(nil, r)) }
	for name, want := range map[string]bool{
		"conv/Relu6":                            false,
		"conv/rows":                             false,
		"a/rows 3":                              false,
		"conv/channels 0-7":                     true,
		"conv/channels 0-7 joined":              true,
		label(region{span{0, 4}, span{0, 20}}):  true,
		label(region{span{0, 10}, span{3, 20}}): true,
		label(region{span{2, 4}, span{3, 20}}) + " padded": true,
	} {
		if got := IsPiece(&tflite.Tensor{Name: name}); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}
