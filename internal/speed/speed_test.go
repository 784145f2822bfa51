package speed

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/tflite"
)

// TestMACs compares the MACs of measured models with those of their files, and the sums that MCUNet
// rounds with the one of its model in the corpus.
func TestMACs(t *testing.T) {
	dir := filepath.Join(corpus.Dir(t), "models")
	for _, m := range macs {
		path := filepath.Join(dir, "micro", m.model+".tflite")
		if m.model == "mcunet-in3" {
			path = filepath.Join(dir, "nets", "mcunet-320kb-1mb_imagenet.tflite")
		} else if m.whole {
			continue // not in the corpus
		}
		w := Of(open(t, path), 0)
		if !w.Int8 {
			t.Errorf("%s: not all MACs are INT8", m.model)
		}
		if sum := total(w); m.whole && math.Abs(sum-m.macs[0]) > 0.05e6 {
			t.Errorf("%s: %.0f MACs, and MCUNet has %.0f", m.model, sum, m.macs[0])
		}
		for kind, n := range w.MACs {
			if !m.whole && float64(n) != m.macs[kind] {
				t.Errorf("%s: %d MACs of kind %d in the file, %.0f in the table", m.model, n, kind, m.macs[kind])
			}
		}
	}
}

// TestPublished checks the table, and each rate against the measurements that it is made of.
func TestPublished(t *testing.T) {
	seen := map[string]bool{}
	for i := range measured {
		p := &measured[i]
		r := Published(p.core, p.library)
		for k, x := range p.samples() {
			name := fmt.Sprint(p.core, p.library, p.source, p.runs[k])
			if x.macs == [kinds]float64{} || seen[name] || !strings.Contains(p.source, "https://github.com/") {
				t.Errorf("%s: no MACs, no source, or there twice", name)
			}
			seen[name] = true
			estimate := x.estimate(r.Costs)
			switch deviation := math.Abs(x.cost/estimate - 1); {
			case r.Measurements == 1 && (r.Bound != -1 || deviation > 1e-9):
				t.Errorf("%s: a single measurement has bound %v and deviates by %v", name, r.Bound, deviation)
			case r.Measurements > 1 && deviation > r.Bound+1e-9:
				t.Errorf("%s deviates by %v, more than without itself: %v", name, deviation, r.Bound)
			}
		}
	}
	if Published("Cortex-M0+", "cmsis-nn-scalar") != nil || Published("Cortex-M4", "reference") != nil {
		t.Error("a rate without a measurement")
	}
}

// TestEspressif estimates the model that Espressif measured.
func TestEspressif(t *testing.T) {
	w := Of(open(t, filepath.Join(corpus.Dir(t), "models", "micro", "person_detect.tflite")), 0)
	cycles, err := Published("Xtensa LX7", "esp-nn-s3").Cost(w)
	if ms := cycles / 240e3; err != nil || math.Abs(ms-54) > 1e-9 {
		t.Errorf("%v ms, %v; Espressif measured 54 ms", ms, err)
	}
}

// TestFitRecovers: measurements that some costs explain give these costs, within what the prior moves
// them, if there are enough; and a kind that no measurement has costs as much as the mean.
func TestFitRecovers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var want [kinds]float64
		for i := range want {
			want[i] = rapid.Float64Range(1, 3).Draw(t, "cost")
		}
		unit := math.Pow(10, rapid.Float64Range(-6, 6).Draw(t, "unit"))
		list := make([]sample, 40)
		for i := range list {
			x := &list[i]
			x.macs[i%int(Other)] = float64(rapid.IntRange(1, 1e9).Draw(t, "MACs")) // one kind each
			x.cost = x.macs[i%int(Other)] * want[i%int(Other)] * unit
		}
		r := fit(list)
		for i, c := range r.Costs[:Other] {
			if math.Abs(c/unit/want[i]-1) > 0.01 {
				t.Fatalf("cost %d is %v, want %v", i, c/unit, want[i])
			}
		}
		if r.Bound > 0.01 || r.Measurements != len(list) {
			t.Fatalf("%+v", r)
		}
		if _, err := r.Cost(Work{MACs: [kinds]int64{1, 1, 1, 1}}); err == nil {
			t.Fatal("an estimate for other operators, which were not measured")
		}
		least, most := want[0], want[0]
		for _, c := range want[:Other] {
			least, most = min(least, c), max(most, c)
		}
		if mean := r.Costs[Other] / unit; mean < least*0.99 || mean > most*1.01 {
			t.Fatalf("an unmeasured kind costs %v, others %v", mean, want)
		}
	})
}

// TestBound compares the bound with the definition: each measurement against a fit of the others.
func TestBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := make([]sample, rapid.IntRange(2, 8).Draw(t, "n"))
		spread := rapid.SampledFrom([]float64{0.5, 9}).Draw(t, "spread") // measurements may contradict each other
		for i := range list {
			x := &list[i]
			x.macs[rapid.IntRange(0, int(Other)).Draw(t, "kind")] = float64(rapid.IntRange(1000, 1e9).Draw(t, "a"))
			x.macs[rapid.IntRange(0, int(Other)).Draw(t, "kind")] += float64(rapid.IntRange(0, 1e9).Draw(t, "b"))
			sum := x.macs[0] + x.macs[1] + x.macs[2] + x.macs[3]
			x.cost = sum * math.Pow(10, rapid.Float64Range(-spread, spread).Draw(t, "cost"))
		}
		want := 0.0
		for i, x := range list {
			rest := fit(append(append([]sample{}, list[:i]...), list[i+1:]...))
			estimate := 0.0
			for kind, n := range x.macs {
				if rest.Costs[kind] < 0 {
					t.Fatalf("a negative cost: %+v", rest)
				}
				estimate += rest.Costs[kind] * n
			}
			want = min(max(want, math.Abs(x.cost/estimate-1)), MaxBound)
		}
		if got := fit(list).Bound; !(math.Abs(got-want) <= 1e-4*max(1, want)) {
			t.Fatalf("bound %v, want %v", got, want)
		}
	})
}

// TestNoEstimate: the error names what is missing.
func TestNoEstimate(t *testing.T) {
	r := fit([]sample{{cost: 100, macs: [kinds]float64{1e6, 1e6}}, {cost: 1000, macs: [kinds]float64{0, 1e6}}})
	for want, w := range map[string]Work{
		"no multiply-accumulates": {},
		"no measurement has":      {MACs: [kinds]int64{1, 1, 0, 1}},
		"contradict":              {MACs: [kinds]int64{1}},
	} {
		if cost, err := r.Cost(w); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, %v, want %q", w, cost, err, want)
		}
	}
}

// TestOmittedInputs: operators without data or weights are no INT8 kernels.
func TestOmittedInputs(t *testing.T) {
	m := open(t, filepath.Join(corpus.Dir(t), "models", "micro", "kws_ref_model.tflite"))
	for _, inputs := range [][]int{{-1, 1}, {0, -1}, {0}, {}} {
		o := &m.Subgraphs[0].Operators[0]
		o.Inputs = inputs
		if w := Of(m, 0); w.Int8 && w.MACs[Convolution] == 2368000 {
			t.Errorf("%v: %+v", inputs, w)
		}
	}
}

func TestCalibrate(t *testing.T) {
	dir := filepath.Join(corpus.Dir(t), "models", "micro")
	in := func(name string) (*tflite.Model, error) { return tflite.Open(filepath.Join(dir, name)) }
	r, err := Calibrate([]byte("\xef\xbb\xbfMilliseconds, model ,note\r\n 54, person_detect.tflite,x\r\n"), in)
	if err != nil || r.Measurements != 1 || r.Bound != -1 || math.Abs(r.Costs[0]*7157888-54) > 1e-9 {
		t.Errorf("%+v, %v", r, err)
	}
	r, err = Calibrate([]byte("model,milliseconds,operator\nperson_detect.tflite,62,CONV_2D\nperson_detect.tflite,19,DEPTHWISE_CONV_2D\nperson_detect.tflite,81,\n"), in)
	if err != nil || r.Measurements != 3 || r.Costs[Depthwise] < 1.5*r.Costs[Convolution] || math.Abs(r.Costs[Convolution]*6193664/62-1) > 0.05 {
		t.Errorf("%+v, %v", r, err)
	}
	const head = "model,milliseconds,operator\n"
	for text, want := range map[string]string{
		"":                                     "the file is empty",
		head:                                   "no measurement",
		"model,ms\n":                           `no column "milliseconds"`,
		"milliseconds,operator\n":              `no column "model"`,
		head + "person_detect.tflite,1\n":      "wrong number of fields",
		head + "person_detect.tflite,\"1\n":    "line 2, column",
		head + "person_detect.tflite,x,\n":     `not a valid list of measurements: line 2, column 22: "x" is not a time`,
		head + "person_detect.tflite,0,\n":     `"0" is not a time`,
		head + "person_detect.tflite,1e12,\n":  `"1e12" is not a time`,
		head + "person_detect.tflite,-1,\n":    `"-1" is not a time`,
		head + "person_detect.tflite,1,CONV\n": "line 2, column 24: the model has no CONV with",
		head + "simple_add_model.tflite,1,\n":  "line 2, column 1: the model has no multiply-accumulates",
		head + strings.Repeat("person_detect.tflite,1,\n", maxMeasurements+1): "line 1002, column 1: more than 1000",
	} {
		if _, err := Calibrate([]byte(text), in); !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v, want %q", text, err, want)
		}
	}
	if _, err := Calibrate([]byte(head+"\nmissing.tflite,1,\n"), in); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "line 3, column 1: ") {
		t.Errorf("%v", err)
	}
}

func FuzzCalibrate(f *testing.F) {
	f.Add([]byte("model,milliseconds,operator\na,54,\na,1e3,CONV_2D\n"))
	f.Add([]byte("model,milliseconds\na,1e-9\na,1e9\n"))
	m := &tflite.Model{Subgraphs: make([]tflite.Subgraph, 1)}
	if dir := corpus.Find(); dir != "" {
		var err error
		if m, err = tflite.Open(filepath.Join(dir, "models", "micro", "kws_ref_model.tflite")); err != nil {
			f.Fatal(err)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Calibrate(data, func(string) (*tflite.Model, error) { return m, nil })
		if err != nil {
			if !errors.Is(err, ErrInvalid) {
				t.Fatal(err)
			}
			return
		}
		cost, err := r.Cost(Of(m, 0))
		if err != nil || !(cost > 0) || math.IsInf(cost, 0) || (r.Bound == -1) != (r.Measurements == 1) || !(r.Bound >= -1 && r.Bound <= MaxBound) {
			t.Fatalf("%v, %v of %+v", cost, err, r)
		}
	})
}

func open(t *testing.T, path string) *tflite.Model {
	t.Helper()
	m, err := tflite.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func total(w Work) (sum float64) {
	for _, n := range w.MACs {
		sum += float64(n)
	}
	return sum
}
