package units

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestBytes(t *testing.T) {
	for _, c := range []struct {
		n    int64
		want string
	}{
		{0, "0 B"},
		{1023, "1,023 B"},
		{1024, "1,024 B (1.00 KiB)"},
		{36864, "36,864 B (36.00 KiB)"},
		{4816896, "4,816,896 B (4.59 MiB)"},
		{-36864, "-36,864 B (-36.00 KiB)"},
		{1 << 60, "1,152,921,504,606,846,976 B (1,048,576.00 TiB)"},
		{-1 << 60, "-1,152,921,504,606,846,976 B (-1,048,576.00 TiB)"},
		{1000 << 40, "1,099,511,627,776,000 B (1,000.00 TiB)"},
		{-1, "-1 B"},
		{math.MaxInt64, "9,223,372,036,854,775,807 B (8,388,608.00 TiB)"},
	} {
		if got := Bytes(c.n); got != c.want {
			t.Errorf("Bytes(%d) = %q, want %q", c.n, got, c.want)
		}
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string]int64{
		"103.12 MiB": 108_129_157, "88.1M": 92_379_545, "0.0001K": 0,
		"0": 0, "131072": 131072, "128KiB": 131072, "128 kib": 131072, "1MiB": 1 << 20, "1.5MiB": 3 << 19,
		"0.5KiB": 512, "7B": 7, " 2GiB ": 2 << 30, "1TiB": 1 << 40, "9223372036854775807": math.MaxInt64,
		"64K": 65536, "64k": 65536, "64KB": 65536, "64kB": 65536, "64KiB": 65536, "64 KiB": 65536, "65536": 65536, "65536B": 65536,
		"1e8": 100_000_000, "1.5E6": 1_500_000, "2e+3KiB": 2048000, "1.2345e3K": 1264128, "0e0": 0, "9e18": 9e18,
		"1.5m": 3 << 19, "1gb": 1 << 30, "2T": 2 << 40, "65,536": 65536, "1,048,576 B": 1 << 20, "1,024.5K": 1049088,
	} {
		if got, err := Parse(text); err != nil || got != want {
			t.Errorf("Parse(%q) = %d, %v, want %d", text, got, err, want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"":                     "not a number",
		"KiB":                  "not a number",
		"-1":                   "not a number",
		"128KBB":               "use B, KiB",
		"128BB":                "use B, KiB",
		"128 kilo":             "K, M, G or T for short",
		"65,53":                "not a number",
		",655":                 "not a number",
		"1000,000":             "not a number",
		"1,,000":               "not a number",
		"e8":                   "not a number",
		".5e3":                 "not a number",
		"1e":                   "unknown unit",
		"1e-3":                 "not a number",
		"1ee3":                 "not a number",
		"1.5.5e3K":             "six digits",
		"1.0.0e3":              "six digits",
		"1e0,003":              "not a number",
		"1x0e3":                "not a number",
		"1e999":                "not a number",
		"1e19":                 "2^63-1",
		"1.25e1":               "whole number of bytes",
		"1.3B":                 "whole number of bytes",
		"1.KiB2":               "six digits",
		"1.0000001MiB":         "six digits",
		"1.-1MiB":              "six digits",
		"9223372036854775808":  "2^63-1",
		"8388608TiB":           "2^63-1",
		"8388607.9999999TiB":   "six digits",
		"99999999999999999KiB": "2^63-1",
	} {
		if got, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q) = %d, %v, want an error with %q", text, got, err, want)
		}
	}
}

func TestParseReadsWhatFormatWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(0, math.MaxInt64).Draw(t, "n")
		plain := strings.ReplaceAll(Number(n), ",", "")
		for _, text := range []string{plain, plain + "B", Number(n), Number(n) + " B"} {
			if got, err := Parse(text); err != nil || got != n {
				t.Fatalf("Parse(%q) = %d, %v", text, got, err)
			}
		}
	})
}

func TestCommonScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOf(rapid.Int64Range(0, 1<<50)).Draw(t, "values")
		scale := CommonScale(values...)
		var most int64
		for _, v := range values {
			most = max(most, v)
		}
		if most < scale.Bytes && scale.Bytes > 1 {
			t.Fatalf("scale %s is too large for %d", scale.Unit, most)
		}
		if scale.Unit != "TiB" && most >= scale.Bytes*1024 {
			t.Fatalf("scale %s is too small for %d", scale.Unit, most)
		}
	})
}

func TestPercent(t *testing.T) {
	if got := Percent(1, 4); got != "25.0 %" {
		t.Error(got)
	}
	if got := Percent(-99_999, 8); got != "-1,249,987.5 %" {
		t.Error(got)
	}
	if got := Percent(9999, 1000); got != "999.9 %" {
		t.Error(got)
	}
	if got := Percent(0, 0); got != "0.0 %" {
		t.Error(got)
	}
}
