/* The functions of CMSIS-NN that return sizes of scratch, for tests that link with its wheel. */
#include <stdint.h>

typedef struct { int32_t n, h, w, c; } cmsis_nn_dims;
typedef struct { int32_t w, h; } cmsis_nn_tile;
typedef struct { int32_t min, max; } cmsis_nn_activation;
typedef struct {
    int32_t input_offset, output_offset;
    cmsis_nn_tile stride, padding, dilation;
    cmsis_nn_activation activation;
} cmsis_nn_conv_params;
typedef struct {
    int32_t input_offset, output_offset;
    cmsis_nn_tile stride, padding, padding_offsets, dilation;
    cmsis_nn_activation activation;
} cmsis_nn_transpose_conv_params;
typedef struct {
    int32_t input_offset, output_offset, ch_mult;
    cmsis_nn_tile stride, padding, dilation;
    cmsis_nn_activation activation;
} cmsis_nn_dw_conv_params;

#define WINDOW(name, params) \
    int32_t name(const params *, const cmsis_nn_dims *, const cmsis_nn_dims *, const cmsis_nn_dims *);
#define FILTER(name) int32_t name(const cmsis_nn_dims *);
#define POOL(name) int32_t name(int, int);
#define CORES(kind, name, ...) \
    kind(name, ##__VA_ARGS__) kind(name##_dsp, ##__VA_ARGS__) kind(name##_mve, ##__VA_ARGS__)

CORES(WINDOW, arm_convolve_wrapper_s8_get_buffer_size, cmsis_nn_conv_params)
CORES(WINDOW, arm_convolve_wrapper_s16_get_buffer_size, cmsis_nn_conv_params)
CORES(WINDOW, arm_depthwise_conv_wrapper_s8_get_buffer_size, cmsis_nn_dw_conv_params)
CORES(WINDOW, arm_depthwise_conv_wrapper_s4_get_buffer_size, cmsis_nn_dw_conv_params)
WINDOW(arm_transpose_conv_s8_get_buffer_size, cmsis_nn_transpose_conv_params)
WINDOW(arm_transpose_conv_s8_get_buffer_size_mve, cmsis_nn_transpose_conv_params)
int32_t arm_transpose_conv_s8_get_reverse_conv_buffer_size(const cmsis_nn_transpose_conv_params *,
    const cmsis_nn_dims *, const cmsis_nn_dims *);
CORES(FILTER, arm_fully_connected_s8_get_buffer_size)
CORES(FILTER, arm_fully_connected_s16_get_buffer_size)
CORES(FILTER, arm_svdf_s8_get_buffer_size)
CORES(POOL, arm_avgpool_s8_get_buffer_size)
CORES(POOL, arm_avgpool_s16_get_buffer_size)
