package replay

import (
	"context"
	"fmt"
	"math/rand"
	"strings"
	"testing"
)

func TestIterations(t *testing.T) {
	step := []string{"+a10", "+b20", "-a", "+c5", "-b", "-c"}
	many := func(mark string, n int) (words []string) {
		for range n {
			words = append(append(words, step...), strings.Fields(mark)...)
		}
		return words
	}
	for _, c := range []struct {
		name   string
		events []string
		marks  []int
		want   string
	}{
		{"steps", many("|", 4), nil, "step events: 4 of 4 fit, reference 0, 3 hot of 3, 30 and 0 bytes"},
		{"annotations", many("", 4), []int{5, 11, 17, 23}, "annotations: 3 of 3 fit, reference 0, 3 hot of 3, 30 and 0 bytes"},
		{"sizes", append([]string{"+z9"}, many("", 5)...), nil, "the sizes repeat: 5 of 5 fit, reference 0, 3 hot of 3, 30 and 9 bytes"},
		{"from the beginning", append(many("", 5), "+z9", "+y7", "-z", "+x8"), nil, "the sizes repeat: 5 of 5 fit, reference 0, 3 hot of 3, 30 and 0 bytes"},
		{"a larger one", append(many("|", 3), append([]string{"+a10", "+b21"}, append(step[2:], "|")...)...), nil, "step events: 4 of 4 fit, reference 3, 3 hot of 3, 31 and 0 bytes"},
		{"a longer one", append(many("|", 3), append([]string{"+d1", "-d"}, append(step, "|")...)...), nil, "step events: 3 of 4 fit, reference 0, 3 hot of 3, 30 and 30 bytes"},
		{"nothing", []string{"+a1", "+b2", "-a", "+c3"}, nil, "none"},
	} {
		d := device(c.events...)
		d.Marks = c.marks
		it, err := newProfile(d, 1).Iterations(context.Background(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := "none"
		if it != nil {
			ref := it.List[it.Reference]
			got = fmt.Sprintf("%s: %d of %d fit, reference %d, %d hot of %d, %d and %d bytes", it.Source, it.Fitting, len(it.List), it.Reference, ref.Hot, ref.Requests, it.Hot.Total, it.Kept.Total)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestRepetition compares with trying every length and period.
func TestRepetition(t *testing.T) {
	for seed := range 2000 {
		r := rand.New(rand.NewSource(int64(seed)))
		var tokens []int64
		for range r.Intn(6) {
			tokens = append(tokens, r.Int63n(3))
		}
		part := []int64{r.Int63n(2), 1, r.Int63n(2), 0, r.Int63n(4)}
		for range r.Intn(5) {
			tokens = append(tokens, part...)
		}
		wantLength, wantPeriod := 0, 0
		for length := 1; length <= len(tokens); length++ {
			for period := 1; 2*period <= length; period++ {
				same := true
				for i := period; i < length && same; i++ {
					same = tokens[i] == tokens[i-period]
				}
				if same {
					if period >= minPeriod {
						wantLength, wantPeriod = length, period
					}
					break // the least period counts
				}
			}
		}
		if length, period := repetition(tokens, make([]int32, len(tokens)+1)); length != wantLength || period != wantPeriod {
			t.Fatalf("%v: %d %d, want %d %d", tokens, length, period, wantLength, wantPeriod)
		}
	}
}

// TestFit has the reasons why an iteration does not fit.
func TestFit(t *testing.T) {
	for want, last := range map[string]string{
		"":                                    "+a10 +b5 -a +c7 -b -c",
		"2 requests instead of 3":             "+a10 +b5 -a -b",
		"request 1 asks for 6 B":              "+a9 +b6 -a +c1 -b -c",
		"request 1 is not released":           "+a10 +b5 -a +c7 -c",
		"blocks are in use at the same time ": "+a1 +b5 +c7 -a -b -c",
	} {
		one := "+a10 +b5 -a +c7 -b -c |"
		words := strings.Fields(one + " " + one + " " + last + " |")
		it, err := newProfile(device(words...), 1).Iterations(context.Background(), Options{})
		if err != nil || len(it.List) != 3 {
			t.Fatal(it, err)
		}
		if got := it.List[2].Misfit; !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q, want %q", last, got, want)
		}
	}
}
