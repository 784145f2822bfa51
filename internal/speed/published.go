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

// A published series is measured runs of models on one board.
type published struct {
	core, library string
	megahertz     float64
	source        string
	runs          []run
}

// A run is a model with the milliseconds that it took.
type run struct {
	model        string
	milliseconds float64
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

// measured are the published measurements, by core and library. MLPerf Tiny gives inferences per second.
var measured = []published{
	{core: "Cortex-M33", library: "cmsis-nn-dsp", megahertz: 200, source: ra6m4, runs: []run{
		{"ad01_int8", 1000 / 216.772},
		{"pretrainedResnet_quant", 1000 / 4.062},
		{"kws_ref_model", 1000 / 19.774},
		{"vww_96_int8", 1000 / 6.159},
	}},
	{core: "Cortex-M33", library: "cmsis-nn-dsp", megahertz: 128, source: krai, runs: []run{
		{"ad01_int8", 1000 / 159.020},
		{"pretrainedResnet_quant", 1000 / 3.146},
		{"kws_ref_model", 1000 / 13.074},
		{"vww_96_int8", 1000 / 4.286},
	}},
	{core: "Cortex-M4", library: "cmsis-nn-dsp", megahertz: 120, source: krai, runs: []run{
		{"ad01_int8", 1000 / 116.212},
		{"pretrainedResnet_quant", 1000 / 2.567},
		{"kws_ref_model", 1000 / 10.019},
		{"vww_96_int8", 1000 / 3.324},
	}},
	{core: "Cortex-M7", library: "cmsis-nn-dsp", megahertz: 480, source: mcunet, runs: []run{
		{"mcunet-vww0", 53},
		{"mcunet-vww1", 97},
		{"mcunet-vww2", 478},
		{"mcunet-in0", 51},
		{"mcunet-in1", 103},
		{"mcunet-in2", 642},
		{"mcunet-in3", 770},
	}},
	{core: "Cortex-M7", library: "reference", megahertz: 480, source: mcunet, runs: []run{
		{"mcunet-vww0", 587},
		{"mcunet-vww1", 1120},
		{"mcunet-vww2", 5310},
		{"mcunet-in0", 586},
		{"mcunet-in1", 1227},
		{"mcunet-in2", 6463},
		{"mcunet-in3", 7821},
	}},
	{core: "Cortex-M85", library: "cmsis-nn-mve", megahertz: 480, source: ra8d1, runs: []run{
		{"ad01_int8", 1000 / 1884.138},
		{"pretrainedResnet_quant", 1000 / 117.948},
		{"kws_ref_model", 1000 / 288.611},
		{"vww_96_int8", 1000 / 74.665},
	}},
	{core: "RISC-V (RV32IMAFC)", library: "esp-nn-p4", megahertz: 360, source: espressif, runs: []run{
		{"person_detect", 73},
	}},
	{core: "RISC-V (RV32IMAFC)", library: "reference", megahertz: 360, source: espressif, runs: []run{
		{"person_detect", 1395},
	}},
	{core: "RISC-V (RV32IMC)", library: "esp-nn-generic", megahertz: 160, source: espressif, runs: []run{
		{"person_detect", 426},
	}},
	{core: "RISC-V (RV32IMC)", library: "reference", megahertz: 160, source: espressif, runs: []run{
		{"person_detect", 3355},
	}},
	{core: "Xtensa LX6", library: "esp-nn-generic", megahertz: 240, source: espressif, runs: []run{
		{"person_detect", 380},
	}},
	{core: "Xtensa LX6", library: "reference", megahertz: 240, source: espressif, runs: []run{
		{"person_detect", 4084},
	}},
	{core: "Xtensa LX7", library: "esp-nn-s3", megahertz: 240, source: espressif, runs: []run{
		{"person_detect", 54},
	}},
	{core: "Xtensa LX7", library: "reference", megahertz: 240, source: espressif, runs: []run{
		{"person_detect", 2300},
	}},
}

// Published returns the rate of a core with the INT8 kernels of a library, in cycles, or nil without a
// measurement. The core is named as package target does, the library without its release.
func Published(core, library string) *Rate {
	var list []sample
	for i := range measured {
		if p := &measured[i]; p.core == core && p.library == library {
			list = append(list, p.samples()...)
		}
	}
	if list == nil {
		return nil
	}
	return fit(list)
}

// samples returns the measurements in cycles.
func (p *published) samples() []sample {
	list := make([]sample, len(p.runs))
	for i, r := range p.runs {
		for _, m := range macs {
			if m.model == r.model {
				list[i] = m.sample
			}
		}
		list[i].cost = r.milliseconds * 1000 * p.megahertz
	}
	return list
}
