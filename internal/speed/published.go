package speed

// Sources of published measurements. Each names the time and the clock, and where it says so, the
// release of the kernels.
const (
	espressif = "https://github.com/espressif/esp-tflite-micro/blob/07c014eb6579/README.md"
	krai      = "MLPerf Tiny 1.1, Krai, CMSIS-NN 5126318 called by microTVM, https://github.com/mlcommons/tiny_results_v1.1/blob/04558bf86137/closed/Krai/results/README.md"
	ra6m4     = "MLPerf Tiny 0.7, Renesas EK-RA6M4, https://github.com/mlcommons/tiny_results_v0.7/tree/9665edb3f369/closed/renesas/results/EK-RA6M4"
	ra8d1     = "MLPerf Tiny 1.2, Renesas EK-RA8D1, https://github.com/mlcommons/tiny_results_v1.2/tree/b448c5c71109/closed/Renesas/results/EK-RA8D1"
	mcunet    = "STM32H743, TensorFlow Lite Micro 713b6ed and CMSIS-NN 011bf32, https://github.com/mit-han-lab/tinyengine/blob/022fc116e000/README.md, at 480 MHz by https://github.com/mit-han-lab/tinyengine/issues/23"
)

// A published row is a measured run of a model.
type published struct {
	core, library string
	megahertz     float64
	model         string
	milliseconds  float64
	source        string
}

// macs are the MACs of the models: by kind, or the sum, as [MCUNet] rounds it.
//
// [MCUNet]: https://github.com/mit-han-lab/mcunet/blob/0dedab545fa6/README.md
var macs = []struct {
	model string
	sample
}{
	{"person_detect", sample{macs: [kinds]float64{6193664, 964224}}},
	{"kws_ref_model", sample{macs: [kinds]float64{2368000, 288000, 768}}},
	{"pretrainedResnet_quant", sample{macs: [kinds]float64{12500992, 0, 640}}},
	{"vww_96_int8", sample{macs: [kinds]float64{6690816, 798336, 512}}},
	{"ad01_int8", sample{macs: [kinds]float64{0, 0, 264192}}},
	{"mcunet-in0", sample{macs: [kinds]float64{6.4e6}, whole: true}},
	{"mcunet-in1", sample{macs: [kinds]float64{12.8e6}, whole: true}},
	{"mcunet-in2", sample{macs: [kinds]float64{67.3e6}, whole: true}},
	{"mcunet-in3", sample{macs: [kinds]float64{81.8e6}, whole: true}},
	{"mcunet-vww0", sample{macs: [kinds]float64{6.0e6}, whole: true}},
	{"mcunet-vww1", sample{macs: [kinds]float64{11.6e6}, whole: true}},
	{"mcunet-vww2", sample{macs: [kinds]float64{55.8e6}, whole: true}},
}

// measured are the published measurements. MLPerf Tiny gives inferences per second.
var measured = []published{
	{"Cortex-M33", "cmsis-nn-dsp", 200, "ad01_int8", 1000 / 216.772, ra6m4},
	{"Cortex-M33", "cmsis-nn-dsp", 200, "pretrainedResnet_quant", 1000 / 4.062, ra6m4},
	{"Cortex-M33", "cmsis-nn-dsp", 200, "kws_ref_model", 1000 / 19.774, ra6m4},
	{"Cortex-M33", "cmsis-nn-dsp", 200, "vww_96_int8", 1000 / 6.159, ra6m4},
	{"Cortex-M33", "cmsis-nn-dsp", 128, "ad01_int8", 1000 / 159.020, krai},
	{"Cortex-M33", "cmsis-nn-dsp", 128, "pretrainedResnet_quant", 1000 / 3.146, krai},
	{"Cortex-M33", "cmsis-nn-dsp", 128, "kws_ref_model", 1000 / 13.074, krai},
	{"Cortex-M33", "cmsis-nn-dsp", 128, "vww_96_int8", 1000 / 4.286, krai},
	{"Cortex-M4", "cmsis-nn-dsp", 120, "ad01_int8", 1000 / 116.212, krai},
	{"Cortex-M4", "cmsis-nn-dsp", 120, "pretrainedResnet_quant", 1000 / 2.567, krai},
	{"Cortex-M4", "cmsis-nn-dsp", 120, "kws_ref_model", 1000 / 10.019, krai},
	{"Cortex-M4", "cmsis-nn-dsp", 120, "vww_96_int8", 1000 / 3.324, krai},
	{"Cortex-M7", "cmsis-nn-dsp", 480, "mcunet-vww0", 53, mcunet},
	{"Cortex-M7", "cmsis-nn-dsp", 480, "mcunet-vww1", 97, mcunet},
	{"Cortex-M7", "cmsis-nn-dsp", 480, "mcunet-vww2", 478, mcunet},
	{"Cortex-M7", "cmsis-nn-dsp", 480, "mcunet-in0", 51, mcunet},
	{"Cortex-M7", "cmsis-nn-dsp", 480, "mcunet-in1", 103, mcunet},
	{"Cortex-M7", "cmsis-nn-dsp", 480, "mcunet-in2", 642, mcunet},
	{"Cortex-M7", "cmsis-nn-dsp", 480, "mcunet-in3", 770, mcunet},
	{"Cortex-M7", "reference", 480, "mcunet-vww0", 587, mcunet},
	{"Cortex-M7", "reference", 480, "mcunet-vww1", 1120, mcunet},
	{"Cortex-M7", "reference", 480, "mcunet-vww2", 5310, mcunet},
	{"Cortex-M7", "reference", 480, "mcunet-in0", 586, mcunet},
	{"Cortex-M7", "reference", 480, "mcunet-in1", 1227, mcunet},
	{"Cortex-M7", "reference", 480, "mcunet-in2", 6463, mcunet},
	{"Cortex-M7", "reference", 480, "mcunet-in3", 7821, mcunet},
	{"Cortex-M85", "cmsis-nn-mve", 480, "ad01_int8", 1000 / 1884.138, ra8d1},
	{"Cortex-M85", "cmsis-nn-mve", 480, "pretrainedResnet_quant", 1000 / 117.948, ra8d1},
	{"Cortex-M85", "cmsis-nn-mve", 480, "kws_ref_model", 1000 / 288.611, ra8d1},
	{"Cortex-M85", "cmsis-nn-mve", 480, "vww_96_int8", 1000 / 74.665, ra8d1},
	{"RISC-V (RV32IMAFC)", "esp-nn-p4", 360, "person_detect", 73, espressif},
	{"RISC-V (RV32IMAFC)", "reference", 360, "person_detect", 1395, espressif},
	{"RISC-V (RV32IMC)", "esp-nn-generic", 160, "person_detect", 426, espressif},
	{"RISC-V (RV32IMC)", "reference", 160, "person_detect", 3355, espressif},
	{"Xtensa LX6", "esp-nn-generic", 240, "person_detect", 380, espressif},
	{"Xtensa LX6", "reference", 240, "person_detect", 4084, espressif},
	{"Xtensa LX7", "esp-nn-s3", 240, "person_detect", 54, espressif},
	{"Xtensa LX7", "reference", 240, "person_detect", 2300, espressif},
}

// Published returns the rate of a core with the INT8 kernels of a library, in cycles, or nil without a
// measurement. The core is named as package target does, the library without its release.
func Published(core, library string) *Rate {
	var list []sample
	for i := range measured {
		if p := &measured[i]; p.core == core && p.library == library {
			list = append(list, p.sample())
		}
	}
	if list == nil {
		return nil
	}
	return fit(list)
}

// sample returns a measurement in cycles.
func (p *published) sample() (x sample) {
	for _, m := range macs {
		if m.model == p.model {
			x = m.sample
		}
	}
	x.cost = p.milliseconds * 1000 * p.megahertz
	return x
}
