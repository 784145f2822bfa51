package flexnn_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tflarena/tflarena/alloc/stream"
	"github.com/tflarena/tflarena/alloc/stream/check"
	"github.com/tflarena/tflarena/alloc/stream/flexnn"
	"github.com/tflarena/tflarena/alloc/stream/network"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
)

// A recording is a pair of profiles and what the authors' program makes of it.
type recording struct {
	name   string
	valid  bool
	budget int64
	net    *network.Network
	files  *flexnn.Files
}

// recordings reads all recordings of the shared data.
func recordings(t *testing.T) []recording {
	t.Helper()
	dir := filepath.Join(corpus.Dir(t), "stream", "cases")
	read := func(name string) []byte {
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	var all []recording
	for _, row := range corpus.Table(t, "stream/cases/golden/expected.csv") {
		name := row["case"]
		memory, times := "golden/"+name+".memprof.csv", "golden/"+name+".timeprof.csv"
		if part := strings.Split(name, "-"); part[0] != "tiny" {
			memory, times = "profiles/"+part[0]+".memprof.csv", "profiles/"+part[0]+"."+part[1]+".timeprof.csv"
		}
		net, err := flexnn.ReadProfiles(read(memory), read(times))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		budget, err := strconv.ParseInt(row["budget"], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, recording{name, row["valid"] == "yes", budget, net, &flexnn.Files{
			Malloc:     read("golden/" + name + ".malloc.txt"),
			Dependency: read("golden/" + name + ".dependency.txt"),
			Layout:     read("golden/" + name + ".layout.csv"),
		}})
	}
	return all
}

// TestSameFiles plans as the authors' program does, down to the bytes of its files.
func TestSameFiles(t *testing.T) {
	for _, r := range recordings(t) {
		plan, err := stream.Solve(context.Background(), r.net, r.budget, stream.Options{Strategy: stream.FlexNN})
		if err != nil {
			t.Errorf("%s: %v", r.name, err)
			continue
		}
		if !r.valid {
			if len(plan.Notes) == 0 {
				t.Errorf("%s: the authors' plan is wrong, but no note says so", r.name)
			}
			continue
		}
		if diff := cmp.Diff(r.files, flexnn.Write(r.net, plan.Placement)); diff != "" || len(plan.Notes) > 0 {
			t.Errorf("%s: notes %q, and the files differ:\n%s", r.name, plan.Notes, diff)
		}
	}
}

// TestRecordedPlans reads what the authors' program wrote: its right plans pass the checker,
// and its wrong ones do not, or cannot even be read.
func TestRecordedPlans(t *testing.T) {
	for _, r := range recordings(t) {
		place, err := flexnn.Read(r.net, r.files)
		if err == nil {
			err = check.Placement(r.net, place, r.budget)
		}
		if r.valid != (err == nil) {
			t.Errorf("%s: valid %v, but: %v", r.name, r.valid, err)
		}
		if file := (*flexnn.Error)(nil); err != nil && r.name != "tiny-overlap" && !errors.As(err, &file) {
			t.Errorf("%s: %v is no error of a file", r.name, err)
		}
	}
}

// TestReadBack reads back what was written.
func TestReadBack(t *testing.T) {
	for _, r := range recordings(t) {
		for _, s := range stream.Strategies() {
			plan, err := stream.Solve(context.Background(), r.net, r.budget, stream.Options{Strategy: s, Quick: true})
			if err != nil {
				t.Errorf("%s by %s: %v", r.name, s, err)
				continue
			}
			place, err := flexnn.Read(r.net, flexnn.Write(r.net, plan.Placement))
			if diff := cmp.Diff(plan.Placement, place); err != nil || diff != "" {
				t.Errorf("%s by %s: %v\n%s", r.name, s, err, diff)
			}
		}
	}
}
