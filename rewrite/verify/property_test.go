package verify

import (
	"testing"

	"golang.org/x/exp/slices"
	"pgregory.net/rapid"

	"github.com/tflarena/tflarena/alloc/check"
	"github.com/tflarena/tflarena/internal/encode"
	"github.com/tflarena/tflarena/internal/testkit/modelfile"
	"github.com/tflarena/tflarena/internal/testkit/sample"
	"github.com/tflarena/tflarena/lifetime"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
)

// Without variables and custom operators, the verdict on offsets is that of the
// checker of plans, by what the rules permit.
func TestVerifyAgainstCheck(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := modelfile.Build(t, encode.Model{Subgraphs: []encode.Subgraph{sample.DrawSubgraph(t)}})
		offsets := sample.DrawOffsets(t, m)
		_, out := embed(t, m, offsets)
		view := sample.Micro(t, m)
		records, want := checked(view, offsets)
		v := verify(t, out)
		if v.Head != want || len(v.Pinned) != len(records) {
			t.Fatalf("head %d, want %d; %d pinned, want %d", v.Head, want, len(v.Pinned), len(records))
		}
		// Who is not pinned, or never used, is in nobody's way.
		used := slices.Clone(view.Remaining(rules.OverwriteAlias))
		places := make([]int64, len(used))
		for i, r := range used {
			k := slices.IndexFunc(records, func(p lifetime.Record) bool { return p.ID == r.ID })
			if k < 0 || r.Last < 0 {
				used[i].Size, used[i].Gaps = 0, nil
				continue
			}
			places[i] = records[k].Offset
		}
		var end int64
		for i, r := range used {
			if r.Size > 0 {
				end = max(end, places[i]+r.Size)
			}
		}
		err := check.Aliased(used, places, end, view.Takeovers(rules.OverwriteAlias), view.Overlaps(rules.DiagonalAlias))
		if (err == nil) != v.OK() {
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
