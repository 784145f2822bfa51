package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/expiry"
	"github.com/tflarena/tflarena/internal/testkit/golden"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// Models that made commands panic, take all memory, or go on for minutes: every command ends
// with an answer or an error, and takes little memory.
func TestFoundHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("left out: many searches")
	}
	// most is of all that is ever allocated: a hundredth of it is in use at a time. A search that would
	// go on is ended when it has asked so often whether its time is over, so that no clock decides how
	// much it allocates.
	const (
		most  = 4 << 30
		looks = 1000
	)
	for _, name := range []string{
		"min_output_minus1_relu", "min_output_minus1_concat", "min_output_minus1_pad", "panic-80d9f44dd7",
		"hang_conv_height_2p24", "oom_conv_height_2p28",
	} {
		out := filepath.Join(t.TempDir(), "out.tflite")
		for _, line := range []string{
			"analyze MODEL", "check MODEL", "plan MODEL --alias overwrite", "plan MODEL -a shared",
			"rewrite MODEL -o OUT --alias safe", "rewrite MODEL -o OUT --reorder",
			"fit MODEL -o OUT --head 1MiB", "fit MODEL -o OUT --least --alias safe", "fit MODEL -o OUT --least --alias overwrite",
		} {
			before := allocated()
			ctx := expiry.Interrupted(looks)
			got := executeIn(ctx, noTerminal(), nil, strings.Fields(strings.NewReplacer("MODEL", found(t, name), "OUT", out).Replace(line))...)
			if got.code != exitOK && got.code != exitInvalid && got.code != exitCheck && !(got.code == exitInterrupted && ctx.After() > 0) || strings.Contains(got.stderr, "fault in tflarena") {
				t.Errorf("%s: %s: exit %d: %s", name, line, got.code, got.stderr)
			}
			if bytes := allocated() - before; bytes > most {
				t.Errorf("%s: %s: allocated %d B", name, line, bytes)
			}
		}
	}
}

// Models on which searches went on long after their time limit: the remaining work is counted by polls
// of the context.
func TestFoundLimits(t *testing.T) {
	if testing.Short() {
		t.Skip("left out: many searches")
	}
	const late = 100
	for _, line := range []string{
		"plan slow_shared_wide2000 -a shared", "analyze slow_shared_wide2000", "rewrite slow_shared_wide2000 --reorder --alias safe --allow-faults -o OUT",
		"fit slow_fit_adds10000 --least --alias safe --allow-faults -o OUT", "analyze slow_fit_adds10000",
		"fit nasdag.int8 --least --alias overwrite -o OUT",
	} {
		args := strings.Fields(strings.ReplaceAll(line, "OUT", filepath.Join(t.TempDir(), "out.tflite")))
		args[1] = found(t, args[1])
		for _, looks := range []int{0, 30, 1000} {
			ctx := expiry.Interrupted(looks)
			got := executeIn(ctx, noTerminal(), nil, args...)
			if ended := ctx.After() > 0; ended && got.code != exitInterrupted || !ended && got.code != exitOK {
				t.Errorf("%s: after %d looks: ended %v, exit %d: %s", line, looks, ended, got.code, got.stderr)
			}
			if ctx.After() > late {
				t.Errorf("%s: after %d looks: looked %d times more", line, looks, ctx.After())
			}
		}
	}
}

// The network on which more freedom led to a larger head, and what was cut short was called
// the least there is.
func TestFoundFreedom(t *testing.T) {
	if !*golden.Audit {
		t.Skip("left out: -audit searches for the least heads of a large network for a minute")
	}
	none := int64(0)
	for _, alias := range []rules.Alias{rules.NoAlias, rules.SafeAlias, rules.ElementwiseAlias, rules.OverwriteAlias} {
		out := filepath.Join(t.TempDir(), "out.tflite")
		got := execute(noTerminal(), nil, "fit", found(t, "nasdag.int8"), "--least", "--alias", string(alias), "-o", out)
		if got.code != exitOK {
			t.Fatalf("--alias %s: exit %d: %s", alias, got.code, got.stderr)
		}
		head := checked(t, out).Head
		if alias == rules.NoAlias {
			none = head
		}
		if head > none {
			t.Errorf("--alias %s: a head of %d B, and %d B without it", alias, head, none)
		}
	}
}

// A fitted model is as small as possible: fitting it again changes nothing.
func TestFitAgainOnModels(t *testing.T) {
	if !*golden.Audit {
		t.Skip("left out: -audit searches for least heads for minutes")
	}
	dir := filepath.Join(corpus.Dir(t), "models")
	paths := []string{found(t, "siamese.f32"), found(t, "dscnn.int8"), found(t, "mixer.int8")}
	for _, name := range []string{"micro/person_detect.tflite", "micro/ds_cnn_s_quantized.tflite", "micro/vww_96_int8.tflite", "nets/mcunet-320kb-1mb_imagenet.tflite"} {
		paths = append(paths, filepath.Join(dir, filepath.FromSlash(name)))
	}
	for _, path := range paths {
		for _, alias := range []rules.Alias{rules.NoAlias, rules.OverwriteAlias} {
			first, second := filepath.Join(t.TempDir(), "first.tflite"), filepath.Join(t.TempDir(), "second.tflite")
			for _, run := range [][2]string{{path, first}, {first, second}} {
				if got := execute(noTerminal(), nil, "fit", run[0], "--least", "--alias", string(alias), "-o", run[1]); got.code != exitOK {
					t.Fatalf("%s --alias %s: exit %d: %s", run[0], alias, got.code, got.stderr)
				}
			}
			if once, twice := checked(t, first), checked(t, second); twice.Head != once.Head {
				t.Errorf("%s --alias %s: a head of %d B, and %d B when it is fitted again", path, alias, once.Head, twice.Head)
			}
		}
	}
}
