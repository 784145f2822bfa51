package patch

import (
	"testing"
)

// Positions that would pass the end of the zip format are refused.
func TestMoveOverflow(t *testing.T) {
	data := []byte{0xc0, 0xff, 0xff, 0xff}
	if err := Move(data, []Site{{0, 4}}, 64); err == nil {
		t.Error("moved beyond 4 GiB")
	}
	if err := Move(data, []Site{{0, 4}}, 62); err != nil || data[0] != 0xfe {
		t.Errorf("%v: %x", err, data)
	}
}
