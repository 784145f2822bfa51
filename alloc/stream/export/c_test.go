package export_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/tflarena/tflarena/alloc/stream"
	"github.com/tflarena/tflarena/alloc/stream/export"
	"github.com/tflarena/tflarena/alloc/stream/litert"
	"github.com/tflarena/tflarena/internal/testkit/builtin"
)

// follow is firmware that runs each plan of a header by the rules in its comment, and goes from one plan to another. It fails
// if the rows of a layer are not in memory when the layer computes.
const follow = `#include "plans.h"
#include "plans.h"
#include <stdlib.h>
#include <string.h>
#define STORAGE (16 << 20)
static unsigned char *storage, *memory;
static void copy(const struct net_weight *w) { memcpy(memory + w->address, storage + w->storage, w->size); }
static void change(const struct net_weight *before, const struct net_weight *now) {
    for (int i = 0; i < NET_WEIGHTS; i++) {
        if (now[i].wait != NET_STAY) continue;
        if (before && before[i].wait == NET_STAY && before[i].address == now[i].address) continue;
        copy(&now[i]);
    }
}
static int run(const struct net_weight *w) {
    int next = 0;
    for (int layer = 0; layer < NET_LAYERS; layer++) {
        for (; next < NET_WEIGHTS && (w[next].wait == NET_STAY || w[next].wait < layer); next++)
            if (w[next].wait != NET_STAY) copy(&w[next]);
        for (int i = 0; i < NET_WEIGHTS; i++)
            if (w[i].layer == layer && memcmp(memory + w[i].address, storage + w[i].storage, w[i].size)) return 1;
    }
    return 0;
}
int main(void) {
    static const int order[] = {0, 1, 2, 1, 0, 2, 0};
    const struct net_weight *before = NULL;
    storage = (unsigned char *)malloc(STORAGE);
    memory = (unsigned char *)malloc(NET_MEMORY_BYTES);
    for (long i = 0; i < STORAGE; i++) storage[i] = (unsigned char)rand();
    for (unsigned k = 0; k < sizeof order / sizeof *order; k++) {
        const struct net_plan *p = &net_plans[order[k]];
        if (p->memory > p->budget || p->memory > NET_MEMORY_BYTES || !p->activations || !p->intermediates) return 2;
        memset(memory + p->memory, 0, NET_MEMORY_BYTES - p->memory); /* others use the rest */
        change(before, p->weights);
        if (run(p->weights) || run(p->weights)) return 1;
        before = p->weights;
    }
    return NET_PLANS != 3;
}
`

// The header of several plans compiles in C and C++, and firmware that follows it has each weight in memory for its layer,
// also after each change of the plan. A header of one plan compiles as well.
func TestPlansInC(t *testing.T) {
	net, err := litert.Layers(builtin.Model(t, "squeezenet-1.1"), litert.Rates{MACs: 5e9, Bytes: 100e6}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var plans []*stream.Plan
	for _, budget := range []int64{6 << 20, 7 << 20, 64 << 20} {
		plan, err := stream.Solve(t.Context(), net, budget, stream.Options{Quick: true})
		if err != nil {
			t.Fatal(err)
		}
		plans = append(plans, plan)
	}
	if plans, err = stream.Settle(net, plans); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for file, data := range map[string][]byte{
		"plans.h": export.C(net, plans, "net"), "one.h": export.C(net, plans[:1], "net"), "follow.c": []byte(follow),
		"one.c": []byte("#include \"one.h\"\nint use(int i);\nint use(int i) { return net_weights[i].wait + (int)net_activations[i] + (int)net_intermediates[0]; }\n"),
	} {
		if err := os.WriteFile(filepath.Join(dir, file), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for compiler, language := range map[string][]string{"cc": {"-x", "c", "-std=c99"}, "c++": {"-x", "c++", "-std=c++11"}} {
		flags := append(language, "-Wall", "-Wextra", "-pedantic", "-Werror")
		for _, args := range [][]string{{compiler, "-fsyntax-only", "one.c"}, {compiler, "-o", "follow", "follow.c"}, {"./follow"}} {
			if args[0] == compiler {
				args = append(append([]string{compiler}, flags...), args[1:]...)
			}
			cmd := exec.Command(args[0], args[1:]...)
			cmd.Dir = dir
			if out, err := cmd.CombinedOutput(); errors.Is(err, exec.ErrNotFound) {
				t.Skip("left out: ", err)
			} else if err != nil {
				t.Errorf("%v: %v\n%s", args, err, out)
			}
		}
	}
}
