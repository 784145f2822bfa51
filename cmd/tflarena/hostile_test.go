package main

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc"
	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/internal/testkit/mutate"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/models"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// mostAllocated bounds the bytes that a command may allocate, all told, on a small file,
// whatever numbers it has: a limit in time or in work bounds the searches.
const mostAllocated = 1 << 29

// A trial is a command line on a hostile model, and the exit codes that it may end with.
type trial struct {
	args  []string
	codes []int
	// writes reports that the output is a model.
	writes bool
}

// trials returns all commands on a file, in one of their variations; they end in as many
// ways as there are flags.
func trials(path, other string, variation uint32) []trial {
	pick := func(list ...string) string {
		n := uint32(len(list))
		chosen := list[variation%n]
		variation /= n
		return chosen
	}
	limit := []string{"--time-limit", pick("2ms", "2ms", "2ms", "20ms")}
	planned := append(strings.Fields("plan "+pick(waysToPlan()...)), limit...)
	planned = append(planned, strings.Fields(pick("", "-o json=-", "-o csv=-", "-o svg=-", "-o header=-", "-o bufferplan=-", "-o lp=-", "-o mps=-"))...)
	rewritten := append(strings.Fields("rewrite --allow-faults -o - "+pick(
		"--remove", "--pin all", "--reorder", "--toposort", "--reorder --force --pin all", "--alias safe", "--alias elementwise", "--alias overwrite", "--reorder --alias safe --toposort",
		"--reorder --alias overwrite --pin all", "--scratch none", "--scratch none --alias elementwise --reorder --ignore-litert",
		"--alias diagonal --pin all", "--alias unmeasured --reorder",
	)+" "+pick(libraries...)), limit...)
	fitted := append(strings.Fields("fit --allow-faults -o - "+pick("--head 1KiB", "--least", "--arena 4KiB", "--head 32KiB --max-overhead 10%", "--least --force")+" "+
		pick("", "--alias safe", "--alias elementwise", "--alias overwrite", "--alias diagonal", "--alias unmeasured", "--alias auto")+" "+pick(append(libraries, "--scratch none")...)), limit...)
	streamed := append(strings.Fields("stream --bandwidth 1K --macs-per-second 1e9 "+pick("--budget 1G", "--budget 4K", "--sweep --points 3", "--latency 1s")+" "+
		pick("", "--default-delegate")+" "+pick("", "--slice 64")), limit...)
	if pick("", "segments") != "" && streamed[5] == "--budget" {
		streamed = append(streamed, "--segments", filepath.Join(filepath.Dir(path), "segments"))
	}
	return []trial{
		{args: append([]string{"analyze", path, "-r", pick("tflm", "litert", "paper")}, limit...), codes: []int{exitOK, exitInvalid, exitNoAnswer}},
		{args: append(planned, path), codes: []int{exitOK, exitInvalid, exitUsage, exitNoAnswer, exitCheck}},
		{args: append(rewritten, path), codes: []int{exitOK, exitInvalid, exitNoAnswer}, writes: true},
		{args: append(fitted, path), codes: []int{exitOK, exitInvalid, exitCheck, exitNoAnswer}, writes: true},
		{args: []string{"verify", path}, codes: []int{exitOK, exitInvalid, exitCheck}},
		{args: []string{"check", path, "--max-arena", "1KiB", "--abi", pick("esp", "arm", "host64")}, codes: []int{exitOK, exitInvalid, exitCheck}},
		{args: []string{"diff", path, other}, codes: []int{exitOK, exitInvalid}},
		{args: append([]string{"report", path, "-q", "-o", pick("html=-", "json=-"), "-r", pick("tflm", "litert", "paper")}, limit...), codes: []int{exitOK, exitInvalid, exitNoAnswer}},
		{args: append([]string{"compare", path}, limit...), codes: []int{exitOK, exitInvalid, exitNoAnswer}},
		{args: append(strings.Fields("fit "+pick("", "--alias diagonal", "--alias unmeasured")+" "+pick(libraries...)+" "+path), limit...), codes: []int{exitOK, exitInvalid, exitCheck, exitNoAnswer}},
		{args: append(strings.Fields("report -q -o html=- "+pick("--head 1K", "--arena 4K")+" "+pick("--alias diagonal", "--alias unmeasured")+" "+pick(libraries...)+" "+path), limit...), codes: []int{exitOK, exitInvalid, exitNoAnswer}},
		{args: append(streamed, path), codes: []int{exitOK, exitInvalid, exitUsage, exitNoAnswer, exitCheck}},
	}
}

// libraries are the flags that name a kernel library, none among them.
var libraries = func() []string {
	list := []string{""}
	for _, name := range rules.KernelLibraries() {
		list = append(list, "--kernels "+name)
	}
	return list
}()

// waysToPlan are the flags with which a model is planned, one for each strategy among them.
func waysToPlan() []string {
	list := []string{
		"", "--alias safe", "--alias elementwise", "--alias overwrite", "-a shared", "-r litert", "-r litert --share-in-place", "-r paper", "--scratch reference",
		"--alias overwrite --scratch reference", "--capacity 1KiB", "--capacity 64KiB --alias safe", "--align 64", "--alias safe --align 64 -s greedy-by-size",
	}
	for _, s := range alloc.Strategies(alloc.Offsets) {
		list = append(list, "-s "+s.Name)
	}
	for _, s := range alloc.Strategies(alloc.Shared) {
		list = append(list, "-a shared -s "+s.Name)
	}
	return list
}

// attack runs the commands that are chosen on a model, in one of their variations: each ends with an exit
// code that its help promises, and whatever model it writes is one that "verify" passes.
func attack(t *testing.T, dir string, data []byte, variation uint32, chosen func(command int) bool) {
	t.Helper()
	path, other := filepath.Join(dir, "hostile.tflite"), filepath.Join(dir, "other.tflite")
	write(t, path, data)
	for k, c := range trials(path, other, variation) {
		if !chosen(k) {
			continue
		}
		if err := attempt(c, data); err != nil {
			t.Errorf("%s: %v", strings.Join(c.args, " "), err)
		}
	}
}

// attempt runs one command on a model, and returns the promise that it broke.
func attempt(c trial, data []byte) error {
	before := allocated()
	got := execute(noTerminal(), nil, c.args...)
	bytes := allocated() - before
	switch {
	case strings.Contains(got.stderr, "fault in tflarena"):
		return errors.New(got.stderr)
	case got.code == exitFailure && strings.Contains(got.stderr, "does not fit the 32 bits"): // of a C header
	case c.writes && got.code == exitFailure && strings.Contains(got.stderr, "refused: ") && got.stdout == "":
	case !slices.Contains(c.codes, got.code):
		return fmt.Errorf("exit code %d: %s", got.code, got.stderr)
	case unprintable(got.stderr) != "":
		return errors.New("standard error: " + unprintable(got.stderr))
	case !strings.Contains(strings.Join(c.args, " "), "=-") && !c.writes && unprintable(got.stdout) != "":
		return errors.New(unprintable(got.stdout))
	case bytes > mostAllocated:
		return fmt.Errorf("%d B were allocated for a model of %d B", bytes, len(data))
	case !c.writes:
	case got.code != exitOK && tflite.Plausible([]byte(got.stdout)) == nil:
		return fmt.Errorf("exit code %d with a model: %s", got.code, got.stderr)
	case got.code == exitOK && got.stdout != string(data):
		if after := execute(noTerminal(), []byte(got.stdout), "verify", "-"); after.code != exitOK {
			return fmt.Errorf("what was written does not verify: %s", after.stdout)
		}
	}
	return nil
}

// allocated returns how many bytes have been allocated so far.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// bases are the initial models of [FuzzCommands]: small ones, with memory plans and without, then
// built-in networks, followed by the smaller files of the corpus, if there is one.
func bases(t testing.TB) (list [][]byte) {
	t.Helper()
	list = [][]byte{mutate.Network(schema.TensorTypeINT8), mutate.Network(schema.TensorTypeFLOAT32), mutate.Branches()}
	little := small()
	var names []string
	for name := range little {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		list = append(list, little[name])
	}
	for _, data := range list {
		got := execute(noTerminal(), data, "rewrite", "--allow-faults", "-", "-o", "-", "--pin", "all", "--alias", "elementwise", "--strategy", "greedy-by-size")
		if got.code == exitOK && got.stdout != string(data) {
			list = append(list, []byte(got.stdout))
		}
	}
	return append(append(list, builtinBases(t)...), corpusBases(t)...)
}

// builtinBases are built-in ones whose weights lie elsewhere.
func builtinBases(t testing.TB) (list [][]byte) {
	t.Helper()
	for _, name := range []string{"mobilenet-v1", "mobilenet-v2", "deeplab-v3", "posenet", "blazeface", "swiftnet"} {
		data, err := models.Build(name, models.Options{})
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, data)
	}
	return list
}

// corpusBases are the small models of the corpus, if there is one.
func corpusBases(t testing.TB) (list [][]byte) {
	t.Helper()
	if corpus.Find() == "" {
		return nil
	}
	const most = 64 << 10 // bytes
	for _, file := range corpus.Accepted(t) {
		if info, err := os.Stat(file.Path); err != nil || info.Size() > most {
			continue
		}
		data, err := os.ReadFile(file.Path)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, data)
	}
	return list
}

// hostileModel makes a model from one of the bases, some or all of its operators, and a recipe; bases
// from 1,000 on are those of the zoo. It returns nil for a base that does not exist.
func hostileModel(list [][]byte, base uint16, from uint8, recipe []byte) []byte {
	const zoo, whole, most = 1000, 240, 20 << 10
	var data []byte
	if at := int(base) - zoo; at >= 0 {
		codes := mutate.Codes()
		data = mutate.Zoo(codes[at/3%len(codes)], mutate.Options(at%3))
	} else {
		data = list[int(base)%len(list)]
	}
	root, err := mutate.Read(data)
	if err != nil {
		return nil
	}
	if from < whole || len(data) > most {
		root.Window(int(from>>2), 1+int(from&3)*2)
	}
	root.Mutate(recipe)
	return root.Encode()
}

// FuzzCommands runs one command at a time on models that are valid by their form and hostile by
// their numbers, types, indexes and lists. [TestCommandsAtRandom] draws more of them.
func FuzzCommands(f *testing.F) {
	list := bases(f)
	commands := len(trials("", "", 0))
	for i := range list {
		for command := i % 3; command < commands; command += 3 { // TestCommandsAtRandom has all
			if i%2 == 0 {
				f.Add(uint16(i), uint8(37*i), []byte{}, uint8(command), uint32(i*7919))
			} else {
				f.Add(uint16(i), uint8(255), []byte{byte(i), 1, byte(3 * i), 2, byte(i / 2), 7, 9, 1}, uint8(command), uint32(i*104729))
			}
		}
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, base uint16, from uint8, recipe []byte, command uint8, variation uint32) {
		attackOnce(t, dir, list, base, from, recipe, int(command)%commands, variation)
	})
}

// attackOnce is one execution of [FuzzCommands].
func attackOnce(t *testing.T, dir string, list [][]byte, base uint16, from uint8, recipe []byte, command int, variation uint32) {
	t.Helper()
	data := hostileModel(list, base, from, recipe)
	if data == nil {
		return
	}
	write(t, filepath.Join(dir, "other.tflite"), hostileModel(list, base, from, nil))
	attack(t, dir, data, variation, func(k int) bool { return k == command })
}

// executions is how many executions of FuzzCommands are drawn at random, from where on.
var (
	executions = flag.Int("executions", 0, "run `N` commands on models that are hostile at random")
	firstDraw  = flag.Uint64("first", 0, "begin with the draw `K`")
)

// TestCommandsAtRandom is [FuzzCommands] with random draws: without the instrumentation that tells coverage, it
// does several times as many in a time.
func TestCommandsAtRandom(t *testing.T) {
	list, commands, dir := bases(t), len(trials("", "", 0)), t.TempDir()
	const zoo = 1000 // see hostileModel
	for draw := *firstDraw; draw < *firstDraw+uint64(*executions) && !t.Failed(); draw++ {
		r := rand.New(rand.NewPCG(draw, 1))
		base, recipe := uint16(r.IntN(len(list))), make([]byte, r.IntN(24))
		if r.IntN(3) == 0 {
			base = uint16(zoo + r.IntN(3*len(mutate.Codes())))
		}
		for i := range recipe {
			recipe[i] = byte(r.Uint32())
		}
		func() {
			defer func() {
				if cause := recover(); cause != nil {
					t.Errorf("panic: %v\n%s", cause, debug.Stack())
				}
			}()
			attackOnce(t, dir, list, base, uint8(r.Uint32()), recipe, r.IntN(commands), r.Uint32())
		}()
		if t.Failed() {
			t.Logf("the draw %d", draw)
		}
	}
}

// TestZoo runs every command on every operator that the schema knows, with numbers of
// inputs and outputs that do not suit it, tensors left out, and options or none: one after the
// other of these, and every eighth command, from operator to operator; all of them with -audit.
func TestZoo(t *testing.T) {
	dir := t.TempDir()
	for i, code := range mutate.Codes() {
		if testing.Short() && i%8 > 0 {
			continue
		}
		for k, o := range []mutate.Options{mutate.Absent, mutate.Zeros, mutate.Ones} {
			if i%3 != k && !*golden.Audit {
				continue
			}
			data := mutate.Zoo(code, o)
			write(t, filepath.Join(dir, "other.tflite"), data)
			attack(t, dir, data, uint32(7*i+int(o)*1001), func(command int) bool {
				return *golden.Audit || (command+i/3)%8 == 0
			})
		}
	}
}
