package units

import (
	"math"
	"testing"
)

func TestNumber(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0", 7: "7", 999: "999", 1000: "1,000", 36864: "36,864", 1234567: "1,234,567",
		-1: "-1", -999: "-999", -1000: "-1,000", -123456: "-123,456",
		math.MaxInt64: "9,223,372,036,854,775,807", math.MinInt64: "-9,223,372,036,854,775,808",
	} {
		if got := Number(n); got != want {
			t.Errorf("Number(%d) = %s, want %s", n, got, want)
		}
	}
	if got, want := Number(uint64(math.MaxUint64)), "18,446,744,073,709,551,615"; got != want {
		t.Errorf("Number(2^64-1) = %s, want %s", got, want)
	}
	if got := ExactBytes(36864); got != "36,864 B" {
		t.Errorf("ExactBytes(36864) = %s", got)
	}
}
