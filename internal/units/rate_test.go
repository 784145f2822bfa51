package units

import "testing"

func TestParseNumber(t *testing.T) {
	for text, want := range map[string]float64{
		"0": 0, "30e9": 30e9, "30G": 30e9, "30g": 30e9, " 1.5 k ": 1500, "30,000,000": 3e7, "2.5E3": 2500, "1e-3": 0.001, "7T": 7e12, "4M": 4e6,
	} {
		if got, err := ParseNumber(text); err != nil || got != want {
			t.Errorf("ParseNumber(%q) = %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "-1", "NaN", "Inf", "1e999", "30GiB", "30GB", "3,00", "1 2", "e9", "1e305T", "0x1p9", "0X1P+4G", "0x1_0p0"} {
		if got, err := ParseNumber(text); err == nil {
			t.Errorf("ParseNumber(%q) = %v", text, got)
		}
	}
}
