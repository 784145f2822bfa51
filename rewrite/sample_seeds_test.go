package rewrite

import (
	"os"
	"testing"

	"github.com/tflarena/tflarena/internal/corpus"
	"github.com/tflarena/tflarena/internal/encode"
)

// seeds returns models with and without plans, and the small files of the corpus
// where there is one.
func seeds(f *testing.F) (list [][]byte) {
	for _, v := range variations() {
		list = append(list, encode.Encode(v.model), planned(f, v.model, v.offsets...).Data)
	}
	list = append(list, withoutBuffers(), largeOptions(64))
	zipped := chain()
	zipped.Tail = archive(f, int64(len(encode.Encode(zipped))))
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
