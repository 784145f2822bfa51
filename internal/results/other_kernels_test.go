package results

import (
	"testing"

	"pgregory.net/rapid"
)

// TestAcross: a model has the worst of its own verdict and those of the releases, passes only with all of them, and the
// first release with the worst is returned.
func TestAcross(t *testing.T) {
	rank := map[Verdict]int{}
	for i, v := range verdicts {
		rank[v] = i
	}
	rapid.Check(t, func(t *rapid.T) {
		own := rapid.SampledFrom(verdicts).Draw(t, "own")
		all := rapid.SliceOfN(rapid.SampledFrom(verdicts), 0, 5).Draw(t, "releases")
		c := Check{Verdict: own, Pass: !own.bad()}
		list := make([]OtherBuild, len(all))
		pass, worst := c.Pass, own
		for i, v := range all {
			list[i].Verdict = v
			pass = pass && !v.bad()
			if rank[v] < rank[worst] {
				worst = v
			}
		}
		got := c.Across(list)
		if c.Pass != pass || c.Verdict != worst || (got == nil) != (len(list) == 0) {
			t.Fatalf("%v, %v with %v", c.Verdict, c.Pass, all)
		}
		for _, v := range all {
			if rank[v] < rank[got.Verdict] {
				t.Fatalf("%v is not the worst of %v", got, all)
			}
		}
		for i := range list {
			if &list[i] == got {
				break
			}
			if rank[all[i]] <= rank[got.Verdict] {
				t.Fatalf("%v is not the first of the worst of %v", got, all)
			}
		}
	})
}
