package verify

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc/check"
	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/internal/sample"
)

// Without variables and custom operators, the verdict on offsets is that of the
// checker of plans.
func TestVerifyAgainstCheck(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := sample.Build(t, encode.Model{Subgraphs: []encode.Subgraph{sample.DrawSubgraph(t)}})
		offsets := sample.DrawOffsets(t, m)
		_, out := embed(t, m, offsets)
		view := sample.Micro(t, m)
		records, want := checked(view, offsets)
		v := verify(t, out)
		if v.Head != want || len(v.Pinned) != len(records) {
			t.Fatalf("head %d, want %d; %d pinned, want %d", v.Head, want, len(v.Pinned), len(records))
		}
		var used []lifetime.Record
		var places []int64
		var end int64
		for _, r := range records {
			// What is never used overlaps whom it likes.
			if r.Last >= 0 {
				used, places, end = append(used, r), append(places, r.Offset), max(end, r.Offset+r.Size)
			}
		}
		if err := check.Offsets(used, places, end); (err == nil) != v.OK() {
			t.Fatalf("check says %v, verify %v", err, v.Findings)
		}
	})
}

// checked returns the pinned records and their head.
func checked(view *rules.View, offsets []int32) (pinned []lifetime.Record, head int64) {
	records := view.Records()
	for i, tensor := range view.Graph.Subgraphs[0].Tensors {
		if !tensor.Planned {
			continue
		}
		r := records[0]
		records = records[1:]
		if offsets[i] != rewrite.Online {
			r.Offset = int64(offsets[i])
			pinned = append(pinned, r)
			head = max(head, r.Offset+r.Size)
		}
	}
	return pinned, head
}
