package pickle

import (
	"runtime"
	"testing"
)

// FuzzDecode reads anything: without a panic, and with memory that the size of the input bounds.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		"(lp0\nI1\naL2L\naF1.5\naS'a\\x41'\np1\nag1\na.", "\x80\x04\x95\x05\x00\x00\x00\x00\x00\x00\x00]\x94(K\x05\x88\x89e.",
		"\x80\x05(K\x01\x91\x8f(K\x01K\x02\x90\x96\x01\x00\x00\x00\x00\x00\x00\x00z\x87.", "}q\x00(U\x01aK\x01X\x01\x00\x00\x00bM\x01\x02u.", "]}q\x00\x8c\x01nK\x02sah\x00NNs.",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var before, after runtime.MemStats
		fold := func(tree *Tree, dict Value) (int, bool, error) { return 1, tree.Len(dict) == 1, nil }
		measured := len(data) > 1<<12 // below that the collector's own work counts
		if measured {
			runtime.ReadMemStats(&before)
		}
		tree, err := Decode(data, fold)
		if measured {
			runtime.ReadMemStats(&after)
			if taken := after.TotalAlloc - before.TotalAlloc; taken > uint64(40*len(data)+4*leastMemory) {
				t.Errorf("%d bytes were taken on the way for %d of input", taken, len(data))
			}
		}
		if err == nil {
			walk(tree, tree.Root, 4)
		}
	})
}

// walk looks at all that a value has.
func walk(t *Tree, v Value, depth int) {
	_ = t.Text(v)
	_, _ = t.Int(v)
	_, _ = t.Float(v)
	_, _ = t.Token(v)
	_ = t.Offset(v)
	if depth == 0 {
		return
	}
	for _, list := range [][]Value{t.Items(v), t.Pairs(v)} {
		for _, item := range list[:min(len(list), 50)] {
			walk(t, item, depth-1)
		}
	}
}
