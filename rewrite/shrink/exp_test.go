package shrink

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/tflite"
)

func TestExp(t *testing.T) {
	if os.Getenv("EXP") == "" {
		t.Skip()
	}
	for _, name := range strings.Split(os.Getenv("EXP"), ",") {
		data, err := os.ReadFile("/work/shared/models/" + name + ".tflite")
		if err != nil {
			t.Fatal(err)
		}
		m, err := tflite.Parse(data, "m")
		if err != nil {
			t.Fatal(err)
		}
		d, err := rules.UsualDevice(cmp.Or(os.Getenv("KERNELS"), "reference"))
		if err != nil {
			t.Fatal(err)
		}
		limit, _ := time.ParseDuration(cmp.Or(os.Getenv("LIMIT"), "10s"))
		ctx, cancel := context.WithTimeout(context.Background(), limit)
		g := Goal{MaxOverhead: -1, Alias: rules.Alias(cmp.Or(os.Getenv("ALIAS"), "diagonal")), Device: d, LeastHead: os.Getenv("HEADLEAST") != ""}
		fmt.Sscan(os.Getenv("ARENA"), &g.Budget)
		fmt.Sscan(os.Getenv("HEAD"), &g.HeadBudget)
		start := time.Now()
		r, err := Fit(ctx, m, g)
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Printf("== %s met %t interrupted %t %.2fs; proposals %d done %d\n", name, r.Met, r.Interrupted, time.Since(start).Seconds(), len(r.search.seen), len(r.search.done))
		for _, c := range r.Rungs {
			fmt.Printf("  %-8s %-11s required %d head %d tail %d overhead %.2f%% operators %d file %d\n", c.Name, c.Alias, c.Required, c.Head, c.Tail, 100*c.Overhead, c.Operators, c.FileBytes)
		}
		for _, st := range r.Rungs[r.Best].Stages {
			fmt.Printf("      %+v\n", st)
		}
	}
}
