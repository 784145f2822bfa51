package benchmarks

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/alloc/cache"
	"github.com/tflarena/tflarena/internal/integer"
)

// cacheTolerance is the largest difference between our accesses and misses and Cachegrind's: reading the
// address to return to is one.
const cacheTolerance = 2

// walker is a C program that runs a walk: once, or as often as its argument says, then with pages of its
// own. It touches each line once, as the model counts. The sum keeps Valgrind from removing reads.
const walker = `#include <stdlib.h>
#include <string.h>

// The assembly hides that addresses repeat: pointers for later would be stored on the stack.
#define READ(from, to) asm("" : "+r"(memory)); for (volatile char *p = memory + from; p <= memory + to; p += %[3]d) sum += *p;
#define WRITE(from, to) asm("" : "+r"(memory)); for (volatile char *p = memory + from; p <= memory + to; p += %[3]d) *p = sum;

__attribute__((noinline)) char walk(char *memory)
{
    char sum = 0;
%[4]s    return sum;
}

int main(int argc, char **argv)
{
    char *memory = aligned_alloc(%[2]d, %[1]d);
    volatile char sum;
    if (argc > 1) memset(memory, 1, %[1]d);
    for (long n = argc > 1 ? atol(argv[1]) : 1; n > 0; n--) sum = walk(memory);
    return 0;
}
`

// walkerOf returns the program for a plan.
func walkerOf(p cache.Problem, offsets []int64) string {
	var b strings.Builder
	end := int64(0)
	for _, a := range p.Walk {
		first := p.Address(a, offsets) / p.Line * p.Line
		last := (p.Address(a, offsets) + a.Size - 1) / p.Line * p.Line
		end = max(end, last+p.Line)
		fmt.Fprintf(&b, "    %s(%d, %d)\n", map[bool]string{false: "READ", true: "WRITE"}[a.Write], first, last)
	}
	align := p.Sets() * p.Line
	return fmt.Sprintf(walker, integer.RoundUp(end, align), align, p.Line, b.String())
}

// TestCachegrind compares the misses of two models, before and after, with those that Cachegrind counts in
// a program that accesses the same addresses. TFLARENA_CACHE_PROGRAMS names a folder that keeps the
// programs.
func TestCachegrind(t *testing.T) {
	for _, program := range []string{"cc", "valgrind"} {
		_, err := exec.LookPath(program)
		switch {
		case err == nil:
		case os.Getenv("TFLARENA_REQUIRE_ORACLE") == "1":
			t.Fatal(err)
		default:
			t.Skipf("left out: %v", err)
		}
	}
	dir := os.Getenv("TFLARENA_CACHE_PROGRAMS")
	if dir == "" {
		dir = t.TempDir()
	}
	for _, x := range []struct {
		model int // of cacheModels
		size  int64
	}{{0, cacheSizes[0]}, {6, cacheSizes[1]}} {
		c := newCached(t, cacheModels[x.model].name, x.size)
		if c.improved.After.Misses >= c.improved.Before.Misses {
			t.Errorf("%s: nothing was saved", cacheModels[x.model].title)
		}
		for _, plan := range []struct {
			name    string
			offsets []int64
			want    cache.Counts
		}{{"before", c.planned.Offsets, c.improved.Before}, {"after", c.improved.Offsets, c.improved.After}} {
			path := filepath.Join(dir, fmt.Sprintf("walk_%d_%s", x.model, plan.name))
			got := cachegrind(t, path, walkerOf(c.problem, plan.offsets), c.problem.Geometry)
			t.Logf("%s %s: %+v, Cachegrind %+v", cacheModels[x.model].title, plan.name, plan.want, got)
			if max(got.Accesses-plan.want.Accesses, plan.want.Accesses-got.Accesses, got.Misses-plan.want.Misses, plan.want.Misses-got.Misses) > cacheTolerance {
				t.Errorf("%s %s: Cachegrind counts %+v, we %+v", cacheModels[x.model].title, plan.name, got, plan.want)
			}
		}
	}
}

// cachegrind compiles a program and returns what its function walk does in the first-level cache.
func cachegrind(t *testing.T, path, source string, g cache.Geometry) (n cache.Counts) {
	t.Helper()
	if err := os.WriteFile(path+".c", []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	execute(t, "cc", "-O2", "-o", path, path+".c")
	execute(t, "valgrind", "--tool=cachegrind", "--cache-sim=yes", fmt.Sprintf("--D1=%d,%d,%d", g.Size, g.Ways, g.Line), "--cachegrind-out-file="+path+".out", path)
	data, err := os.ReadFile(path + ".out")
	if err != nil {
		t.Fatal(err)
	}
	inWalk := false
	for line := range bytes.Lines(data) {
		fields := strings.Fields(string(line))
		if name, ok := strings.CutPrefix(string(line), "fn="); ok {
			inWalk = strings.TrimSpace(name) == "walk"
		} else if inWalk && len(fields) == 10 && fields[0] != "summary:" { // line Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw
			var counts [10]int64
			for k, f := range fields {
				if counts[k], err = strconv.ParseInt(f, 10, 64); err != nil {
					t.Fatal(err)
				}
			}
			n.Accesses += counts[4] + counts[7]
			n.Misses += counts[5] + counts[8]
		}
	}
	return n
}

func execute(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
}
