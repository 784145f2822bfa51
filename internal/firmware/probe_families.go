package firmware

import (
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/lifetime/rules"
)

// espProbe calls ESP-NN by the names that its header gives the functions of a chip (1.1.0 and later;
// like the wrappers of esp-tflite-micro 99f49e1, which do not pass dilations and the filter's
// channels).
var espProbe = probeFamily{
	root: "ESP_NN", header: "esp_nn.h",
	functions: map[string]string{
		"conv":           espWindow("conv", "conv_params_t", ""),
		"depthwise_conv": espWindow("depthwise_conv", "dw_conv_params_t", ".ch_mult = multiplier, "),
		"softmax": `static void softmax(int subgraph, int op, int always, long long more,
    int in_h, int in_w, int in_c, int f_h, int f_w, int out_h, int out_w, int out_c,
    int stride_h, int stride_w, int pad_h, int pad_w, int multiplier)
{
    request(subgraph, op, always, more + esp_nn_get_softmax_scratch_size(in_w, in_h));
}
`,
	},
	arguments: func(c *rules.SizeCall) []int64 {
		return []int64{
			c.Input[1], c.Input[2], c.Input[3], c.Filter[1], c.Filter[2], c.Output[1], c.Output[2], c.Output[3],
			c.Stride[0], c.Stride[1], c.Padding[0], c.Padding[1], c.Multiplier,
		}
	},
	compile: compileESP,
}

// espWindow is a function for a windowed operator.
func espWindow(name, params, more string) string {
	return strings.NewReplacer("{{name}}", name, "{{params}}", params, "{{more}}", more).Replace(`static void {{name}}(int subgraph, int op, int always, long long more,
    int in_h, int in_w, int in_c, int f_h, int f_w, int out_h, int out_w, int out_c,
    int stride_h, int stride_w, int pad_h, int pad_w, int multiplier)
{
    data_dims_t input = { .width = in_w, .height = in_h, .channels = in_c, .extra = 1 };
    data_dims_t filter = { .width = f_w, .height = f_h };
    data_dims_t output = { .width = out_w, .height = out_h, .channels = out_c, .extra = 1 };
    {{params}} params = { {{more}}.stride = { .width = stride_w, .height = stride_h },
        .padding = { .width = pad_w, .height = pad_h }, .activation = { .min = -128, .max = 127 } };
    request(subgraph, op, always, more + esp_nn_get_{{name}}_scratch_size(&input, &filter, &output, &params));
}
`)
}

// compileESP compiles the variant's convolutions and SOFTMAX. Assembly of another processor is removed,
// and the linker drops its callers.
func compileESP(variant string) string {
	target, others := "", []string{"esp32s3", "esp32p4", "riscv_pie"}
	switch variant {
	case "s3":
		target, others = " -DCONFIG_NN_OPTIMIZED=1 -DCONFIG_IDF_TARGET_ESP32S3=1", others[1:]
	case "p4":
		target, others = " -DCONFIG_NN_OPTIMIZED=1 -DCONFIG_IDF_TARGET_ESP32P4=1 '-Dasm=' '-Dvolatile(...)='", others[:1]
	case "generic":
		target = " -DCONFIG_NN_OPTIMIZED=1"
	}
	skip := ""
	for _, chip := range append(others, "mt") {
		skip += fmt.Sprintf(" ! -name '*_%s*'", chip)
	}
	return `find "$ESP_NN/src/convolution" "$ESP_NN/src/softmax" -name '*.c'` + skip +
		" -exec ${CC:-cc} " + linkerFlags + target + ` -I"$ESP_NN/include" -I"$ESP_NN/src/common" -I"$ESP_NN/src/softmax" -o probe probe.c {} +`
}

// armProbe calls CMSIS-NN, whose functions for each core compile with any compiler.
var armProbe = probeFamily{
	root: "CMSIS_NN", header: "arm_nnfunctions.h",
	functions: map[string]string{
		"convolve_wrapper_s8":       armWindow("convolve_wrapper_s8", "cmsis_nn_conv_params", "", "arm_convolve_wrapper_s8_get_buffer_size{{core}}(&params, &input, &filter, &output)"),
		"convolve_wrapper_s16":      armWindow("convolve_wrapper_s16", "cmsis_nn_conv_params", "", "arm_convolve_wrapper_s16_get_buffer_size{{core}}(&params, &input, &filter, &output)"),
		"depthwise_conv_wrapper_s8": armWindow("depthwise_conv_wrapper_s8", "cmsis_nn_dw_conv_params", ".ch_mult = multiplier, ", "arm_depthwise_conv_wrapper_s8_get_buffer_size{{core}}(&params, &input, &filter, &output)"),
		"depthwise_conv_wrapper_s4": armWindow("depthwise_conv_wrapper_s4", "cmsis_nn_dw_conv_params", ".ch_mult = multiplier, ", "arm_depthwise_conv_wrapper_s4_get_buffer_size{{core}}(&params, &input, &filter, &output)"),
		"transpose_conv_s8":         armWindow("transpose_conv_s8", "cmsis_nn_transpose_conv_params", "", "arm_transpose_conv_s8_get_buffer_size{{vectors}}(&params, &input, &filter, &output)"),
		"transpose_conv_s8_reverse_conv": armWindow("transpose_conv_s8_reverse_conv", "cmsis_nn_transpose_conv_params", "",
			"arm_transpose_conv_s8_get_reverse_conv_buffer_size(&params, &input, &filter)"),
		"fully_connected_s8":  armFilter("fully_connected_s8", "arm_fully_connected_s8_get_buffer_size{{core}}(&filter)"),
		"fully_connected_s16": armFilter("fully_connected_s16", "arm_fully_connected_s16_get_buffer_size{{core}}(&filter)"),
		"svdf_s8":             armFilter("svdf_s8", "arm_svdf_s8_get_buffer_size{{core}}(&filter)"),
		"avgpool_s8":          armFilter("avgpool_s8", "arm_avgpool_s8_get_buffer_size{{core}}(out_w, in_c)"),
		"avgpool_s16":         armFilter("avgpool_s16", "arm_avgpool_s16_get_buffer_size{{core}}(out_w, in_c)"),
	},
	arguments: func(c *rules.SizeCall) (list []int64) {
		list = append(append(append(list, c.Input[:]...), c.Filter[:]...), c.Output[:]...)
		list = append(append(append(list, c.Stride[:]...), c.Padding[:]...), c.Dilation[:]...)
		return append(list, c.Multiplier)
	},
	compile: func(string) string {
		return `find "$CMSIS_NN/Source" -name '*get_buffer_size*.c' -exec ${CC:-cc} ` + linkerFlags + ` -I"$CMSIS_NN/Include" -o probe probe.c {} +`
	},
}

// armHead is the head of a function.
const armHead = `static void {{name}}(int subgraph, int op, int always, long long more,
    int in_n, int in_h, int in_w, int in_c, int f_n, int f_h, int f_w, int f_c,
    int out_n, int out_h, int out_w, int out_c, int stride_h, int stride_w,
    int pad_h, int pad_w, int dilation_h, int dilation_w, int multiplier)
{
`

// armWindow is a function for a windowed operator. The filter of a depthwise convolution has one
// element along the batch, and as many channels as the output.
func armWindow(name, params, more, call string) string {
	filter := "{ .n = f_n, .h = f_h, .w = f_w, .c = f_c }"
	if more != "" {
		filter = "{ .n = 1, .h = f_h, .w = f_w, .c = out_c }"
	}
	return strings.NewReplacer("{{name}}", name, "{{params}}", params, "{{more}}", more, "{{call}}", call, "{{filter}}", filter).Replace(armHead + `    cmsis_nn_dims input = { .n = in_n, .h = in_h, .w = in_w, .c = in_c };
    cmsis_nn_dims filter = {{filter}};
    cmsis_nn_dims output = { .n = out_n, .h = out_h, .w = out_w, .c = out_c };
    {{params}} params = {
        {{more}}.stride = { .w = stride_w, .h = stride_h }, .padding = { .w = pad_w, .h = pad_h },
        .dilation = { .w = dilation_w, .h = dilation_h }, .activation = { .min = -128, .max = 127 }
    };
    request(subgraph, op, always, more + {{call}});
}
`)
}

// armFilter is a function for an operator whose sizes depend only on the filter or the channels.
func armFilter(name, call string) string {
	return strings.NewReplacer("{{name}}", name, "{{call}}", call).Replace(armHead + `    cmsis_nn_dims filter = { .n = f_n, .h = f_h, .w = f_w, .c = f_c };
    request(subgraph, op, always, more + {{call}});
}
`)
}
