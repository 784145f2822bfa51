package sample

import (
	"os"
	"testing"

	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
)

// Seeds returns models with and without plans, and the small files of the corpus if present.
func Seeds(f *testing.F) (list [][]byte) {
	for _, v := range Variations() {
		list = append(list, encode.Encode(v.Model), Planned(f, v.Model, v.Offsets...).Data)
	}
	marked := WithPlan(Chain(), PlanData(1, ChainPlan))
	for _, text := range []string{Marker, "{}", `{"version":2}`, `{"version":1,"alias":"diagonal","kernels":"\u0000"}`} {
		list = append(list, encode.Encode(WithMarker(marked, text)))
	}
	list = append(list, encode.Encode(WithMarker(WithMarker(Chain(), Marker), Marker)))
	list = append(list, WithoutBuffers(), LargeOptions(64))
	zipped := Chain()
	zipped.Tail = Archive(f, int64(len(encode.Encode(zipped))))
	list = append(list, encode.Encode(zipped))
	if corpus.Find() == "" {
		return list
	}
	for _, file := range corpus.Models(f) {
		data, err := os.ReadFile(file.Path)
		if err != nil {
			f.Fatal(err)
		}
		if len(data) < 3<<10 {
			list = append(list, data)
		}
	}
	return list
}
