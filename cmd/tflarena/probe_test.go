package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tflarena/tflarena/internal/testkit/corpus"
	"github.com/tflarena/tflarena/internal/testkit/oracle/cmsisnn"
)

// needCompiler skips a test without a C compiler, or fails it if TFLARENA_REQUIRE_ORACLE is 1.
func needCompiler(t *testing.T) {
	t.Helper()
	switch _, err := exec.LookPath("cc"); {
	case err == nil:
	case os.Getenv("TFLARENA_REQUIRE_ORACLE") == "1":
		t.Fatal(err)
	default:
		t.Skipf("left out: there is no C compiler here: %v", err)
	}
}

// stubHeader is a header like that of ESP-NN: the target decides whose functions the common names are.
const stubHeader = `#include <stdint.h>
typedef struct { int32_t width, height, channels, extra; } data_dims_t;
typedef struct { int32_t width, height; } data_2d_t;
typedef struct { int32_t min, max; } act_params_t;
typedef struct { int32_t in_offset, out_offset; data_2d_t stride, padding, dilation; act_params_t activation; } conv_params_t;
typedef struct { int32_t in_offset, out_offset, ch_mult; data_2d_t stride, padding, dilation; act_params_t activation; } dw_conv_params_t;
#if defined(CONFIG_NN_OPTIMIZED) && defined(CONFIG_IDF_TARGET_ESP32S3)
#define CHIP(name) name##_esp32s3
#elif defined(CONFIG_NN_OPTIMIZED) && defined(CONFIG_IDF_TARGET_ESP32P4)
#define CHIP(name) name##_esp32p4
#elif defined(CONFIG_NN_OPTIMIZED)
#define CHIP(name) name##_opt
#else
#define CHIP(name) name##_ansi
#endif
#define esp_nn_get_conv_scratch_size CHIP(esp_nn_get_conv_scratch_size)
#define esp_nn_get_depthwise_conv_scratch_size CHIP(esp_nn_get_depthwise_conv_scratch_size)
#define esp_nn_get_softmax_scratch_size CHIP(esp_nn_get_softmax_scratch_size)
int esp_nn_get_conv_scratch_size(const data_dims_t *, const data_dims_t *, const data_dims_t *, const conv_params_t *);
int esp_nn_get_depthwise_conv_scratch_size(const data_dims_t *, const data_dims_t *, const data_dims_t *, const dw_conv_params_t *);
int32_t esp_nn_get_softmax_scratch_size(int32_t width, int32_t height);
`

// stubSizes has the functions, which look recorded sizes up. Other functions of such files call assembly, or
// have some.
const stubSizes = `#include "esp_nn.h"
void esp_nn_in_assembly(void);
void esp_nn_conv_s8_stub(void)
{
    esp_nn_in_assembly();
#if defined(CONFIG_IDF_TARGET_ESP32P4)
    int a = 1;
    asm volatile ("esp.zero.xacc \n\t" : "+r" (a) : : "x30", "s7");
    asm volatile("esp.zero.xacc");
#endif
}
static const int conv[][12] = {
%s{0}};
static const int depthwise[][12] = {
%s{0}};
static int size(const int (*rows)[12], const data_dims_t *in, const data_dims_t *f, const data_dims_t *out, const data_2d_t *stride, const data_2d_t *pad)
{
    for (; rows[0][0]; rows++) {
        const int *r = rows[0];
        if (r[0] == in->height && r[1] == in->width && r[2] == in->channels && r[3] == f->height && r[4] == f->width &&
            r[5] == out->channels && r[6] == stride->height && r[7] == stride->width && r[8] == pad->height && r[9] == pad->width && r[10] == out->height)
            return r[11];
    }
    return 1 << 30; /* not recorded */
}
int esp_nn_get_conv_scratch_size(const data_dims_t *in, const data_dims_t *f, const data_dims_t *out, const conv_params_t *p)
{
    return size(conv, in, f, out, &p->stride, &p->padding);
}
int esp_nn_get_depthwise_conv_scratch_size(const data_dims_t *in, const data_dims_t *f, const data_dims_t *out, const dw_conv_params_t *p)
{
    return p->ch_mult * in->channels == out->channels ? size(depthwise, in, f, out, &p->stride, &p->padding) : 1 << 30;
}
int32_t esp_nn_get_softmax_scratch_size(int32_t width, int32_t height) { return 4 * width; }
`

// stubESP writes a folder like that of ESP-NN, with the recorded sizes of a generation of releases.
func stubESP(t *testing.T, chip, generation string) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "esp nn") // a blank must not matter
	rows := func(file string) string {
		var b strings.Builder
		for _, r := range corpus.Table(t, "kernels/versions/"+file) {
			out := r["out_c"]
			if m, in := r["depth_multiplier"], r["in_c"]; m != "" {
				out = fmt.Sprintf("%s*%s", m, in)
			}
			fmt.Fprintf(&b, "{%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s,%s},\n", r["in_h"], r["in_w"], r["in_c"], r["filter_h"], r["filter_w"],
				out, r["stride_h"], r["stride_w"], r["padding_h"], r["padding_w"], r["out_h"], r[chip+"_"+generation])
		}
		return b.String()
	}
	for name, text := range map[string]string{
		"include/esp_nn.h":                                       stubHeader,
		"src/common/none.h":                                      "",
		"src/softmax/esp_nn_softmax_riscv_pie.c":                 "#error another chip\n",
		"src/convolution/esp_nn_conv_mt_split.c":                 "#error needs an operating system\n",
		"src/convolution/esp_nn_conv_esp32" + chip + ".c":        fmt.Sprintf(stubSizes, rows("esp_nn_conv_2d_models.csv"), rows("esp_nn_depthwise_conv_2d_models.csv")),
		"src/convolution/esp_nn_conv_esp32" + other(chip) + ".c": "#error another chip\n",
	} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if chip == "p4" { // whose softmax is that of newer chips, too
		if err := os.Remove(filepath.Join(root, "src", "softmax", "esp_nn_softmax_riscv_pie.c")); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func other(chip string) string {
	return map[string]string{"s3": "p4", "p4": "s3"}[chip]
}

// runProbe compiles a probe as its script says, and returns the file that it prints.
func runProbe(t *testing.T, dir, variable, library string) string {
	t.Helper()
	cmd := exec.Command("sh", "-c", "sh compile.sh && ./probe > scratch.csv")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), variable+"="+library)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out[:min(len(out), 4000)])
	}
	return filepath.Join(dir, "scratch.csv")
}

// figuresOf returns the lines of a check that have the figures.
func figuresOf(t *testing.T, words ...string) string {
	t.Helper()
	got := execute(noTerminal(), nil, append([]string{"check", "--json"}, words...)...)
	if got.code != 0 {
		t.Fatalf("%q: exit %d: %s%s", words, got.code, got.stdout, got.stderr)
	}
	var lines []string
	for _, line := range strings.Split(got.stdout, "\n") {
		if strings.Contains(line, `_bytes": `) {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return strings.Join(lines[:4], "\n")
}

// TestProbe: a probe prints the sizes of the copy of ESP-NN that it is linked with, so that the figures are
// those of its release, also where the release is not known.
func TestProbe(t *testing.T) {
	needCompiler(t)
	for chip, generations := range map[string]map[string]string{
		"s3": {"1_1_0": "1.1.2", "1_2_1": "1.2.1", "1_2_3": "1.2.3"},
		"p4": {"1_1_0": "1.1.0", "1_2_3": "1.2.3"},
	} {
		for generation, release := range generations {
			library := stubESP(t, chip, generation)
			for _, name := range []string{"okay_nabu_v2.tflite", "kws_ref_model.tflite", "person_detect.tflite"} {
				model, dir := corpus.Model(t, name).Path, filepath.Join(t.TempDir(), "probe")
				kernels := "esp-nn-" + chip + "@" + release
				want := figuresOf(t, model, "--kernels", kernels)
				for _, asked := range []string{kernels, "esp-nn-" + chip + "@9.9.9"} {
					got := execute(noTerminal(), nil, "analyze", model, "--kernels", asked, "-o", "probe="+dir)
					if got.code != 0 {
						t.Fatalf("%s: exit %d: %s", asked, got.code, got.stderr)
					}
					if warns := strings.Contains(got.stderr, "are not known"); warns != (asked != kernels) {
						t.Errorf("%s: %q", asked, got.stderr)
					}
					csv := runProbe(t, dir, "ESP_NN", library)
					if got := figuresOf(t, model, "--kernels", asked, "--scratch", csv); got != want {
						t.Errorf("%s with %s: figures\n%s\nby the probe, want\n%s", name, asked, got, want)
					}
				}
			}
		}
	}
}

// TestProbeScriptOfCMSISNN: the script finds the size functions in a folder like that of CMSIS-NN, and leaves
// other files out.
func TestProbeScriptOfCMSISNN(t *testing.T) {
	needCompiler(t)
	root, dir := t.TempDir(), filepath.Join(t.TempDir(), "probe")
	for name, text := range map[string]string{
		"Include/arm_nnfunctions.h": string(cmsisnn.Header),
		"Source/ConvolutionFunctions/arm_convolve_get_buffer_sizes_s8.c": `#include "arm_nnfunctions.h"
int32_t arm_convolve_wrapper_s8_get_buffer_size_mve(const cmsis_nn_conv_params *p, const cmsis_nn_dims *in, const cmsis_nn_dims *f, const cmsis_nn_dims *out)
{
    return in->c == f->c && out->c == f->n && p->dilation.w == 1 ? 1000 + in->w : -1;
}
int32_t arm_depthwise_conv_wrapper_s8_get_buffer_size_mve(const cmsis_nn_dw_conv_params *p, const cmsis_nn_dims *in, const cmsis_nn_dims *f, const cmsis_nn_dims *out)
{
    return f->n == 1 && f->c == out->c && p->ch_mult * in->c == out->c ? 2000 + in->h : -1;
}
int32_t arm_avgpool_s8_get_buffer_size_mve(int width, int channels) { return 3000 + width + channels; }
`,
		"Source/ConvolutionFunctions/arm_convolve_s8.c": "#error needs the compiler for the target\n",
	} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		write(t, path, []byte(text))
	}
	model := corpus.Model(t, "person_detect.tflite").Path
	if got := execute(noTerminal(), nil, "analyze", model, "--kernels", "cmsis-nn-mve@7.0.0", "-o", "probe="+dir); got.code != 0 {
		t.Fatalf("exit %d: %s", got.code, got.stderr)
	}
	data, err := os.ReadFile(runProbe(t, dir, "CMSIS_NN", root))
	if err != nil {
		t.Fatal(err)
	}
	if text := string(data); !strings.HasPrefix(text, "subgraph,operator,bytes\n0,0,2096\n0,1,2048\n0,2,1048\n") {
		t.Errorf("%.200s", text)
	}
}
