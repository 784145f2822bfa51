package main

import (
	"archive/zip"
	"bytes"
	"path/filepath"
	"strings"
	"testing"
)

// The error for an archive names the models in it, however long it is and wherever it comes from, and the
// converter for archives that are models of other programs.
func TestArchives(t *testing.T) {
	for _, c := range []struct {
		members []string
		size    int
		want    string
	}{
		{[]string{"a.tflite", "b.TFLITE", "labels.txt"}, 10, "unzip it; it has a.tflite and b.TFLITE\n"},
		{[]string{"sub/a.tflite"}, 100 << 10, "it has sub/a.tflite\n"},
		{[]string{"1.tflite", "2.tflite", "3.tflite", "4.tflite", "5.tflite", "6.tflite", "7.tflite"}, 10, "5.tflite and 2 others\n"},
		{[]string{"m/data.pkl", "m/data/0"}, 100 << 10, "litert-torch"},
		{[]string{"config.json", "model.weights.h5"}, 10, "from_keras_model"},
		{[]string{"saved/saved_model.pb"}, 10, "from_saved_model"},
		{[]string{"labels.txt"}, 10, "without a .tflite file"},
	} {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for _, member := range c.members {
			w, err := z.CreateHeader(&zip.FileHeader{Name: member, Method: zip.Store})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write(make([]byte, c.size)); err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		path := write(t, filepath.Join(t.TempDir(), "m.task"), b.Bytes())
		for _, command := range []string{"analyze", "plan", "check"} {
			if got := execute(noTerminal(), nil, command, path); got.code != exitInvalid || !strings.Contains(got.stderr, c.want) {
				t.Errorf("%s of %v: exit %d: %s", command, c.members, got.code, got.stderr)
			}
		}
		got := execute(noTerminal(), b.Bytes(), "analyze", "-")
		if want := c.want; got.code != exitInvalid || c.size < 64<<10 && !strings.Contains(got.stderr, want) || !strings.Contains(got.stderr, "zip archive") && !strings.Contains(got.stderr, "not a TensorFlow Lite model") {
			t.Errorf("standard input of %v: exit %d: %s", c.members, got.code, got.stderr)
		}
		cut := write(t, filepath.Join(t.TempDir(), "cut.zip"), b.Bytes()[:b.Len()/2])
		if got := execute(noTerminal(), nil, "analyze", cut); got.code != exitInvalid || !strings.Contains(got.stderr, "zip archive") {
			t.Errorf("half of %v: exit %d: %s", c.members, got.code, got.stderr)
		}
	}
}
