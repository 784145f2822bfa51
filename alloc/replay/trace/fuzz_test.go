package trace

import (
	"context"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/alloc/replay"
)

// FuzzRead reads anything, and does with what can be read all that the command does.
func FuzzRead(f *testing.F) {
	f.Add([]byte("event,id,size,device,stream,time_us\nalloc,a,5,0,1,2\nstep,,,,,\nfree,a,,0,1,\nalloc,b,7,1,0,\n"))
	f.Add([]byte(`{"event":"alloc","id":1,"size":9,"pool":"p"}` + "\n" + `{"event":"interrupt"}` + "\n" + `{"event":"free","id":1}`))
	if _, err := exec.LookPath("python3"); err == nil {
		files, _ := snapshots(f, []written{{3, 0, "ring"}, {3, 2, "old,annotations"}, {3, 4, "expandable,devices,streams"}, {3, 5, "unshared,ring"}})
		for _, data := range files {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := Read(data, nil)
		if err != nil {
			return
		}
		for _, d := range file.Devices {
			p, err := file.Profile(d, file.Granule)
			if err != nil || len(p.Lives) > 1000 {
				continue
			}
			g := p.Figures()
			p.Holders(file.Trace, g.PeakEvent)
			opt := replay.Options{Solve: alloc.Options{Strategy: "greedy-by-size"}}
			plan, err := p.Plan(context.Background(), opt)
			if err == nil && g.Allocated > plan.Total && len(p.Lives) > 0 && !hasCold(p) {
				t.Errorf("%d bytes are allocated at once, and the plan has %d", g.Allocated, plan.Total)
			}
			_, _ = p.Iterations(context.Background(), opt)
		}
	})
}

func hasCold(p *replay.Profile) bool {
	for _, l := range p.Lives {
		if l.Cold {
			return true
		}
	}
	return false
}

// TestMemory reads texts that have as many events, names and blocks as fit into them.
func TestMemory(t *testing.T) {
	rows := func(head, row string) string {
		var b strings.Builder
		b.WriteString(head)
		for n := 0; b.Len() < 1<<20; n++ {
			b.WriteString(strings.ReplaceAll(row, "N", string([]byte{'a' + byte(n%26), 'a' + byte(n/26%26), 'a' + byte(n/676%26), 'a' + byte(n/17576%26)})))
		}
		return b.String()
	}
	for _, data := range []string{
		rows("event,id,size\n", "step,,\n"), rows("event,id,size\n", "alloc,N,1\n"), rows("event,id,size,function\n", "alloc,N,1,N\n"),
		rows("", "{\"event\":\"step\"}\n"), rows("", "{\"event\":\"alloc\",\"id\":\"N\",\"size\":1}\n"),
	} {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		f, err := Read([]byte(data), nil)
		if err != nil {
			t.Fatal(err)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		if held := int64(after.HeapAlloc) - int64(before.HeapAlloc); held > 16*int64(len(data)) {
			t.Errorf("%s...: %d bytes for %d", data[:40], held, len(data))
		}
		runtime.KeepAlive(f)
	}
}
