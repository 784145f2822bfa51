package models

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

func build(t testing.TB, name string, o Options) []byte {
	t.Helper()
	data, err := Build(name, o)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func parse(t testing.TB, data []byte, name string) *tflite.Model {
	t.Helper()
	m, err := tflite.Parse(data, name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func records(t testing.TB, m *tflite.Model) []lifetime.Record {
	t.Helper()
	r := rules.Paper()
	view, err := r.View(m, 0)
	if err != nil {
		t.Fatal(err)
	}
	return view.Records()
}

// figures are the values in the papers' tables, in bytes.
type figures struct {
	Records               int
	Naive, Offset, Shared int64
}

// TestFigures has the exact bytes of the papers' figures, which are printed in MiB with three
// decimals. Inception v3 is about 0.02 % below the printed value.
func TestFigures(t *testing.T) {
	want := map[string]figures{
		"mobilenet-v1": {30, 20_182_880, 4_816_896, 4_816_896},
		"mobilenet-v2": {65, 27_591_136, 6_021_120, 6_924_288},
		"deeplab-v3":   {68, 51_004_496, 4_530_240, 6_401_088},
		"inception-v3": {121, 56_622_432, 8_297_856, 9_389_056},
		"posenet":      {29, 29_943_616, 6_575_904, 6_655_424},
		"blazeface":    {74, 2_828_992, 516_096, 542_720},
	}
	got := map[string]figures{}
	for _, n := range List(Tables) {
		got[n.Name] = measure(records(t, parse(t, build(t, n.Name, Options{}), n.Name)))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("figures (-want +got):\n%s", diff)
	}
}

// measure counts position by position, independently of the bounds of package lifetime.
func measure(records []lifetime.Record) figures {
	f := figures{Records: len(records)}
	end := 0
	for _, r := range records {
		f.Naive += r.Size
		end = max(end, r.Last)
	}
	var maxima []int64
	for position := range end + 1 {
		var breadth int64
		for rank, size := range alive(records, position) {
			breadth += size
			if rank == len(maxima) {
				maxima = append(maxima, 0)
			}
			maxima[rank] = max(maxima[rank], size)
		}
		f.Offset = max(f.Offset, breadth)
	}
	for _, m := range maxima {
		f.Shared += m
	}
	return f
}

// alive returns the sizes of the tensors alive at a position, the largest first.
func alive(records []lifetime.Record, position int) []int64 {
	var sizes []int64
	for _, r := range records {
		if r.First <= position && position <= r.Last {
			sizes = append(sizes, r.Size)
		}
	}
	slices.SortFunc(sizes, func(a, b int64) int { return int(b - a) })
	return sizes
}

func TestListIsInTheOrderOfTheTables(t *testing.T) {
	var titles []string
	for _, n := range List(Tables) {
		titles = append(titles, n.Title)
	}
	want := []string{"MobileNet v1", "MobileNet v2", "DeepLab v3", "Inception v3", "PoseNet", "BlazeFace"}
	if diff := cmp.Diff(want, titles); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(List(), append(append(List(Tables), List(Irregular)...), List(Papers)...)); diff != "" {
		t.Errorf("the groups are not all networks: %s", diff)
	}
	for _, n := range List() {
		if n.Source == "" || len(n.Input) != 4 && len(n.Input) != 2 {
			t.Errorf("%s: source %q, input %v", n.Name, n.Source, n.Input)
		}
	}
	List()[0].Input[0] = 7
	if List()[0].Input[0] != 1 {
		t.Error("a caller can change the networks through List")
	}
}

func TestInputs(t *testing.T) {
	for _, n := range List() {
		s := parse(t, build(t, n.Name, Options{}), n.Name).Subgraphs[0]
		if diff := cmp.Diff(n.Input, s.Tensors[s.Inputs[0]].Shape); diff != "" {
			t.Errorf("%s: %s", n.Name, diff)
		}
	}
}

func TestBuildIsDeterministic(t *testing.T) {
	for _, n := range List() {
		kinds := []Weights{External, Zero, Random}
		if n.Name == "inception-v3" || n.Group != Tables {
			kinds = kinds[:1] // embedded weights take up to 500 MB a build, by the same code
		}
		for _, w := range kinds {
			o := Options{Weights: w, Seed: 3}
			if !bytes.Equal(build(t, n.Name, o), build(t, n.Name, o)) {
				t.Errorf("%s with %s weights: two builds differ", n.Name, w)
			}
		}
	}
}

func TestBuildNamesWhatItKnows(t *testing.T) {
	_, err := Build("lenet", Options{})
	if err == nil || !strings.Contains(err.Error(), `"lenet"`) {
		t.Fatalf("error %v", err)
	}
	for _, n := range List() {
		if !strings.Contains(err.Error(), n.Name) {
			t.Errorf("error %v leaves out %s", err, n.Name)
		}
	}
	_, err = Build("blazeface", Options{Weights: "trained"})
	if err == nil || !strings.Contains(err.Error(), "external, zero, random") {
		t.Errorf("error %v", err)
	}
}
