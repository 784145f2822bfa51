package benchmarks

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/cache"
	"github.com/tflarena/tflarena/alloc/check"
	"github.com/tflarena/tflarena/internal/app"
	"github.com/tflarena/tflarena/internal/testkit/builtin"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

// cacheModels are models of the corpus for TensorFlow Lite Micro, and networks of the paper.
var cacheModels = []struct{ title, name string }{
	{"person_detect", "micro/person_detect.tflite"},
	{"vww_96_int8", "micro/vww_96_int8.tflite"},
	{"ResNet-8", "micro/pretrainedResnet_quant.tflite"},
	{"DS-CNN (kws_ref_model)", "micro/kws_ref_model.tflite"},
	{"MCUNet 320 kB", "nets/mcunet-320kb-1mb_imagenet.tflite"},
	{"MobileNet v1 0.25 128", "nets/mobilenet_v1_0.25_128.tflite"},
	{"MobileNet v2 1.0 224 int8", "nets/tf2_mobilenet_v2_1.0_224_ptq.tflite"},
	{"Inception v3", "builtin:inception-v3"},
	{"DeepLab v3", "builtin:deeplab-v3"},
	{"PoseNet", "builtin:posenet"},
}

// cacheSizes are in bytes: the first and the second level of the machine of README.md.
var cacheSizes = []int64{32 << 10, 1 << 20}

func cacheGeometry(size int64) cache.Geometry {
	return cache.Geometry{Size: size, Line: cache.DefaultLine, Ways: cache.DefaultWays}
}

// openCacheModel returns the tensors of a model of the list: as TensorFlow Lite Micro plans them, or as
// the paper does.
func openCacheModel(t *testing.T, name string) *app.Problem {
	t.Helper()
	r, m := rules.Micro(), (*tflite.Model)(nil)
	var err error
	if network, ok := strings.CutPrefix(name, "builtin:"); ok {
		m = builtin.Model(t, network)
		r, err = rules.Lookup("paper")
	} else {
		m, err = tflite.Open(filepath.Join(corpus.Dir(t), "models", filepath.FromSlash(name)))
	}
	if err != nil {
		t.Fatal(err)
	}
	v, err := r.View(m, -1)
	if err != nil {
		t.Fatal(err)
	}
	return app.TensorsOf(v)
}

// A cached is the counts of three plans for one model: without reuse, of the
// smallest arena, and with the fewest misses.
type cached struct {
	problem  cache.Problem
	planned  *alloc.Plan
	improved *cache.Result
	naive    cache.Counts
}

func newCached(t *testing.T, name string, size int64) *cached {
	t.Helper()
	j := openCacheModel(t, name)
	g := cacheGeometry(size)
	c := &cached{planned: solve(t.Context(), t, j.Records, alloc.Options{Approach: alloc.Offsets})}
	apart := solve(t.Context(), t, j.Records, alloc.Options{Approach: alloc.Offsets, Strategy: "naive"})
	var err error
	if c.naive, err = cache.Count(j.CacheProblem(g, apart.Total), apart.Offsets); err != nil {
		t.Fatal(err)
	}
	c.problem = j.CacheProblem(g, c.planned.Total)
	if c.improved, err = cache.Improve(t.Context(), c.problem, c.planned.Offsets); err != nil {
		t.Fatal(err)
	}
	if err := check.Offsets(j.Records, c.improved.Offsets, c.improved.Total); err != nil || c.improved.Total > c.planned.Total {
		t.Errorf("%s: total %d, was %d: %v", name, c.improved.Total, c.planned.Total, err)
	}
	return c
}

// TestCache compares cache.md with the search that plan --cache makes.
func TestCache(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: a search for each model and cache")
	}
	var b bytes.Buffer
	b.WriteString(cacheIntroduction)
	for _, size := range cacheSizes {
		fmt.Fprintf(&b, "\n## %s\n\n", units.Bytes(size))
		b.WriteString("| model | arena | accesses | naive: hits | misses | plan: hits | misses | with `--cache`: hits | misses | saved | at first use |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n")
		for _, m := range cacheModels {
			c := newCached(t, m.name, size)
			before, after := c.improved.Before, c.improved.After
			fmt.Fprintf(&b, "| %s | %s | %s |", m.title, grouped(c.planned.Total), grouped(before.Accesses))
			for _, n := range []cache.Counts{c.naive, before, after} {
				fmt.Fprintf(&b, " %.1f %% | %s |", 100*n.HitRate(), grouped(n.Misses))
			}
			fmt.Fprintf(&b, " %.1f %% | %s |\n", 100*float64(before.Misses-after.Misses)/float64(before.Misses), grouped(after.Cold))
		}
	}
	fmt.Fprintf(&b, cacheConclusion, cacheTolerance)
	golden.File(t, "cache.md", b.Bytes())
}

const cacheIntroduction = `# Cache misses

Pisarchyk and Lee 2020 (section 1) say that better reuse of memory improves cache hits, and leave them as a criterion to future
work (section 7.1). ` + "`tflarena plan --cache`" + ` chooses among plans of the same total the one with the fewest misses that it finds.
These are its figures: lines of 64 bytes, 8 ways to a set. A run begins with an empty cache; each operator reads its inputs and
weights and writes its outputs once, byte after byte (` + "`tflarena help cache`" + `). Models of the corpus are planned for TensorFlow Lite
Micro, without scratch, the last three networks as in the paper. Arenas are in bytes, accesses and misses in lines.
"Naive" is without reuse, "plan" the smallest arena that ` + "`auto`" + ` finds, and "saved" the misses of the plan that
` + "`--cache`" + ` avoids in an arena of the same size. No plan has fewer misses than lines "at first use". Repeat with
` + "`go test ./benchmarks -run TestCache -update`" + `; a test compares this document with what is found.
`

const cacheConclusion = `
## What it is worth

Most of the gain is in the small arena itself: compare "naive" with "plan". The choice among plans of the same size matters
where a tensor is about as large as the cache. If it is much smaller, all accesses but the first ones hit; if it is much larger,
its lines are replaced before any plan can use them again.

` + "`TestCachegrind`" + ` compiles a C program that accesses the same addresses in the same order, for two models before and after, and
compares the accesses and misses that Valgrind's Cachegrind counts with the model's: they differ by at most %d.

Fewer misses did not make a run faster. [README.md](README.md) has CPU times of TensorFlow Lite Micro with both plans, of LiteRT, and of
these programs, which access memory and compute nothing: no difference is larger than the noise. The 10 %% of the paper are the gain
over no reuse of memory at all.
`
