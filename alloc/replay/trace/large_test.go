package trace

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand"
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/tflarena/tflarena/alloc/replay"
)

// pickler writes a snapshot as Python does with protocol 4, without holding it as objects.
type pickler struct {
	bytes.Buffer
	memo  int
	texts map[string]int
}

func (p *pickler) op(b ...byte) { p.Write(b) }

// mark gives what was written last its number in the memo.
func (p *pickler) mark() int {
	p.op(0x94)
	p.memo++
	return p.memo - 1
}

func (p *pickler) get(n int) {
	if n < 256 {
		p.op('h', byte(n))
		return
	}
	p.op(binary.LittleEndian.AppendUint32([]byte{'j'}, uint32(n))...)
}

func (p *pickler) text(s string) {
	if n, ok := p.texts[s]; ok {
		p.get(n)
		return
	}
	p.op(0x8c, byte(len(s)))
	p.WriteString(s)
	p.texts[s] = p.mark()
}

func (p *pickler) number(n int64) {
	switch {
	case n < 256:
		p.op('K', byte(n))
	case n < 1<<31:
		p.op(binary.LittleEndian.AppendUint32([]byte{'J'}, uint32(n))...)
	default:
		p.op(0x8a, 8)
		p.op(binary.LittleEndian.AppendUint64(nil, uint64(n))...)
	}
}

// stack writes frames, all of them shared with other stacks, and returns its number.
func (p *pickler) stack(frames []int) int {
	p.op(']')
	n := p.mark()
	p.op('(')
	for _, f := range frames {
		p.get(f)
	}
	p.op('e')
	return n
}

func (p *pickler) event(action string, addr, size, time int64, stack int) {
	p.op('}')
	p.mark()
	p.op('(')
	p.text("action")
	p.text(action)
	p.text("addr")
	p.number(addr)
	p.text("size")
	p.number(size)
	p.text("stream")
	p.number(0)
	p.text("time_us")
	p.number(time)
	p.text("pool_id")
	p.op('K', 0, 'K', 0, 0x86)
	p.mark()
	p.text("frames")
	p.get(stack)
	p.op('u')
}

// large returns a snapshot of about so many bytes: iterations of a network with some noise.
func large(size int) []byte {
	r := rand.New(rand.NewSource(1))
	p := &pickler{texts: map[string]int{}}
	p.Grow(size + 1<<20)
	p.op(0x80, 4, '}')
	p.mark()
	p.op('(')
	p.text("frames of all")
	p.op(']', '(')
	var frames, stacks []int
	for n := range 3000 {
		p.op('}')
		frames = append(frames, p.mark())
		p.op('(')
		p.text("name")
		p.text("function" + strconv.Itoa(n))
		p.text("filename")
		p.text(fmt.Sprintf("/home/me/part%d.py", n%50))
		p.text("line")
		p.number(int64(n))
		p.op('u')
	}
	for range min(size/5000, 50_000) {
		stack := make([]int, 20)
		for k := range stack {
			stack[k] = frames[r.Intn(len(frames))]
		}
		stacks = append(stacks, p.stack(stack))
	}
	p.op('e')
	p.text("device_traces")
	p.op(']', ']')
	type block struct{ addr, size int64 }
	var alive []block
	time, addr := int64(1_700_000_000_000_000), int64(0x7f0000000000)
	for p.Len() < size {
		p.op('(')
		for range 1000 {
			time += 3
			stack := stacks[r.Intn(len(stacks))]
			if len(alive) < 300 || r.Intn(3) > 0 && len(alive) < 900 {
				b := block{addr, int64(512 * (1 + r.Intn(1<<r.Intn(15))))}
				addr += b.size
				alive = append(alive, b)
				p.event("alloc", b.addr, b.size, time, stack)
				continue
			}
			b := alive[len(alive)-1]
			alive = alive[:len(alive)-1]
			p.event("free_requested", b.addr, b.size, time, stack)
			p.event("free_completed", b.addr, b.size, time, stack)
		}
		p.op('e')
	}
	p.op('a', 'u', '.')
	return p.Bytes()
}

// TestLarge reads a large snapshot: with TFLARENA_LARGE set to a path, one of a gigabyte, which is
// written there.
func TestLarge(t *testing.T) {
	size := 64 << 20
	if testing.Short() {
		size = 8 << 20
	}
	if path := os.Getenv("TFLARENA_LARGE"); path != "" {
		size = 1 << 30
		if err := os.WriteFile(path, large(size), 0o600); err != nil {
			t.Fatal(err)
		}
		t.Skip("left out: the snapshot is written, to be read by the command")
	}
	data := large(size)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	start := time.Now()
	released := 0
	f, err := Read(data, func(from, to int) {
		if from != released || to < from {
			t.Errorf("bytes %d to %d are released after those up to %d", from, to, released)
		}
		released = to
	})
	took := time.Since(start)
	if err != nil {
		t.Fatal(err)
	}
	if released != len(data) {
		t.Errorf("%d bytes of %d are released", released, len(data))
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	events := len(f.Devices[0].Events)
	held := int64(after.HeapAlloc) - int64(before.HeapAlloc)
	t.Logf("%d bytes, %d events: %v, %d bytes held, %d taken on the way", len(data), events, took, held, after.TotalAlloc-before.TotalAlloc)
	if held > int64(len(data))*3/4 {
		t.Errorf("%d bytes are held for %d", held, len(data))
	}
	count := map[replay.Kind]int{}
	for _, e := range f.Devices[0].Events {
		count[e.Kind]++
	}
	if count[replay.Alloc] == 0 || count[replay.Free] != count[replay.Other] || count[replay.Alloc]+2*count[replay.Free] != events {
		t.Error(count)
	}
	if name, file := f.Caller(f.Devices[0].Events[0].Stack); name == "" || file == "" {
		t.Error("no stack")
	}
}
