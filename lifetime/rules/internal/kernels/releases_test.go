package kernels

import (
	"errors"
	"strings"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/tflite"
)

// oldest returns the first release of a generation, which names its column in the recordings and its
// page.
func oldest(generation []string) string { return generation[len(generation)-1] }

// TestKernelReleases compares the scratch of each release of ESP-NN with the results of the
// functions of its generation.
func TestKernelReleases(t *testing.T) {
	for _, file := range []string{"conv_2d", "depthwise_conv_2d"} {
		for _, kind := range []string{"", "_models"} {
			t.Run(file+kind, func(t *testing.T) { compareReleases(t, "versions/esp_nn_"+file+kind+".csv", recorded[file]) })
		}
	}
}

func compareReleases(t *testing.T, file string, model func(recordedRow) encode.Model) {
	wrong, compared := 0, 0
	for i, r := range recordings(t, file) {
		m, err := tflite.Parse(encode.Encode(model(r)), file)
		if err != nil {
			t.Fatalf("row %d: %v", i+2, err)
		}
		for _, versions := range espGenerations {
			for _, chip := range []string{"s3", "p4"} {
				column := chip + "_" + strings.ReplaceAll(oldest(versions), ".", "_")
				want, recorded := r[column]
				if !recorded {
					t.Fatalf("%s has no column %s", file, column)
				}
				if want == "0" {
					want = "-"
				}
				for _, version := range versions {
					library := "esp-nn-" + chip + "@" + version
					if got := scratchOf(m, library); got != want {
						if wrong++; wrong <= 5 {
							t.Errorf("row %d, %s: %s, the library asks for %s: %v", i+2, library, got, want, r)
						}
					}
					compared++
				}
			}
		}
	}
	t.Logf("%d sizes compared, %d wrong", compared, wrong)
}

// TestLookup: a name without a release means the newest modelled one, a name with one means
// that release, and the name of a library finds it again.
func TestLookup(t *testing.T) {
	for _, l := range Libraries {
		for _, name := range []string{l.Base(), l.Name()} {
			if got, err := Lookup(name); err != nil || got != l {
				t.Errorf("%s: %v, %v", name, got, err)
			}
		}
		for _, o := range l.Older {
			if got, err := Lookup(o.Name()); err != nil || got != o {
				t.Errorf("%s: %v, %v", o.Name(), got, err)
			}
		}
	}
	for _, name := range []string{"esp-nn-s3@9.9.9", "esp-nn-p4@", "esp-nn-generic@1.2.2", "esp-nn-ansi@1.2.3@1.2.3", "cmsis-nn-dsp@7.0.0", "reference@1", "reference@"} {
		base, _, _ := strings.Cut(name, "@")
		l, err := Lookup(base)
		if err != nil {
			t.Fatal(err)
		}
		_, err = Lookup(name)
		if unknown := (*UnknownRelease)(nil); !errors.As(err, &unknown) || !slices.Equal(unknown.Known, l.Releases()) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Lookup("vendor@1.0"); err == nil {
		t.Error("there is no library vendor")
	}
}
