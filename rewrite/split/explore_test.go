package split_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/internal/corpus"
	"github.com/tflarena/tflarena/internal/oracle"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/split"
	"github.com/tflarena/tflarena/tflite"
)

func TestExplore(t *testing.T) {
	if os.Getenv("EXPLORE") == "" {
		t.Skip()
	}
	runtimes := oracle.Start(t)
	r := rand.New(rand.NewPCG(7, 7))
	for _, file := range corpus.Models(t) {
		m, err := tflite.Open(file.Path)
		if err != nil || len(m.Data) > 30<<20 {
			continue
		}
		var all []split.Run
		for run := range split.Runs(m) {
			if run.Height > 1 {
				all = append(all, run)
			}
		}
		if len(all) == 0 {
			continue
		}
		var most int64
		for _, tt := range m.Subgraphs[0].Tensors {
			if n, ok := tt.PackedBytes(); ok {
				most = max(most, n)
			}
		}
		if most > 8<<20 {
			continue
		}
		base := oracle.Request{Model: file.Path, Arena: 1 << 28, Seed: 1, Invokes: 1, Inputs: len(m.Subgraphs[0].Inputs), Outputs: len(m.Subgraphs[0].Outputs)}
		for k := range 4 {
			run := all[r.IntN(len(all))]
			if k == 0 {
				for _, x := range all {
					if x.Last-x.First > run.Last-run.First {
						run = x
					}
				}
			}
			s := split.Stage{First: run.First, Last: run.Last, Rows: 1 + r.IntN(min(run.Height, 8)), Columns: 1, Mode: split.Mode(k % 2), Carry: r.IntN(2) == 1}
			if s.Mode == split.Recompute {
				s.Columns = 1 + r.IntN(min(run.Width, 4))
			}
			f, err := split.Cut(m, s, len(m.Subgraphs[0].Tensors))
			if err != nil {
				t.Errorf("%s %+v: %v", file.Name, s, err)
				continue
			}
			a, err := rewrite.Apply(m, rewrite.Edit{Tensors: f.Tensors, Operators: whole(m, s, f)}, rewrite.Options{})
			if err != nil {
				t.Logf("%s %+v: apply: %v", file.Name, s, err)
				continue
			}
			cut := base
			cut.Model = written(t, a.Data)
			line := fmt.Sprintf("%s %+v ops %d:", file.Name, s, len(f.Operators))
			for _, way := range []string{"tflm", "litert", "litert BUILTIN_WITHOUT_DEFAULT_DELEGATES", "litert BUILTIN"} {
				x, y := base, cut
				fmt.Sscan(way, &x.Runtime, &x.Kernels)
				y.Runtime, y.Kernels = x.Runtime, x.Kernels
				start := time.Now()
				p, q := runtimes.Run(t, x), runtimes.Run(t, y)
				switch {
				case p.Error != "" && q.Error != "":
					line += " (not run)"
				case p.Error != q.Error:
					t.Errorf("%s %+v in %s: %q, was %q", file.Name, s, way, q.Error, p.Error)
				case !cmp.Equal(p.Outputs, q.Outputs):
					t.Errorf("%s %+v in %s: differs", file.Name, s, way)
				default:
					line += " same"
				}
				if time.Since(start) > 10*time.Second {
					break
				}
			}
			t.Log(line)
		}
	}
}
