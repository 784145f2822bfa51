package rules_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/tflite"
)

// TestKernelLibraries checks invariants of the kernels of every library on every device: the
// same model makes the same requests, no request is negative, and an arena is at least its head
// plus its tail.
func TestKernelLibraries(t *testing.T) {
	data, err := models.Build("mobilenet-v1", models.Options{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := tflite.Parse(data, "mobilenet-v1")
	if err != nil {
		t.Fatal(err)
	}
	for _, library := range rules.KernelLibraries() {
		t.Run(library, func(t *testing.T) {
			for _, abi := range rules.ABIs() {
				checkLibrary(t, m, abi, library)
				for _, release := range rules.KernelReleases(library) {
					checkLibrary(t, m, abi, library+"@"+release)
				}
			}
		})
	}
}

func checkLibrary(t *testing.T, m *tflite.Model, abi, library string) {
	device, err := rules.DefaultDevice().WithABI(abi)
	if err != nil {
		t.Fatal(err)
	}
	device, err = device.WithKernels(library)
	if errors.Is(err, rules.ErrNoBuild) && abi == "host64" && library != "reference" {
		return
	}
	if err != nil || device.Kernels != rules.WithRelease(library) {
		t.Fatalf("%s on %s is %q, %v", library, abi, device.Kernels, err)
	}
	requests := device.Requests(m)
	for i, r := range requests {
		if again := device.Requests(m)[i]; r.Bytes < 0 || r != again {
			t.Errorf("request %d is %v, and the second time %v", i, r, again)
		}
	}
	const head = 1 << 20
	a := rules.Load{Kept: m, Planned: 1, Head: head, Requests: requests}.Arena(device)
	if a.Tail <= 0 || a.Required < head+a.Tail {
		t.Errorf("the tail is %d and the required arena %d, for a head of %d", a.Tail, a.Required, head)
	}
}

func TestUnknownKernelLibrary(t *testing.T) {
	_, err := rules.DefaultDevice().WithKernels("none")
	if err == nil || !strings.Contains(err.Error(), `"none"`) || !strings.Contains(err.Error(), "reference") {
		t.Errorf("the error is %v", err)
	}
}

// TestUsualDevice pins the usual device of each library.
func TestUsualDevice(t *testing.T) {
	for _, library := range rules.KernelLibraries() {
		want := "esp"
		if strings.HasPrefix(library, "cmsis-nn") {
			want = "arm"
		}
		if device, err := rules.UsualDevice(library); err != nil || device.ABI.Name != want || device.Kernels != rules.WithRelease(library) {
			t.Errorf("%s: %s with %s, %v", library, device.ABI.Name, device.Kernels, err)
		}
	}
	if _, err := rules.UsualDevice("none"); err == nil {
		t.Error("there is no library none")
	}
}

// TestDeviceLibrary: the parts of a library make up its name, and each release has a number.
func TestDeviceLibrary(t *testing.T) {
	for _, name := range rules.KernelLibraries() {
		device, err := rules.UsualDevice(name)
		if err != nil {
			t.Fatal(err)
		}
		family, variant, version := device.Library()
		if got := strings.TrimSuffix(family+"-"+variant, "-"); got != name {
			t.Errorf("%s: family %q, variant %q", name, family, variant)
		}
		if (version == "") != (family == "reference") {
			t.Errorf("%s: version %q", name, version)
		}
	}
}

// TestOfMarker: a marker without a release means the one of its time, whichever is the newest; builds
// that do not exist have none.
func TestOfMarker(t *testing.T) {
	for name, want := range map[string]string{
		"esp-nn-s3": "esp-nn-s3@1.2.3", "esp-nn-s3@1.2.1": "esp-nn-s3@1.2.1", "cmsis-nn-mve": "cmsis-nn-mve@99f736a", "reference": "reference",
		"esp-nn-foo": "esp-nn-foo", "esp-nn-s3@9.9": "esp-nn-s3@9.9", "": "",
	} {
		if got := rules.OfMarker(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	for _, library := range rules.KernelLibraries() {
		if marked := rules.OfMarker(library); !rules.IsKernelLibrary(marked) {
			t.Errorf("%s: %s is not known", library, marked)
		}
	}
}
