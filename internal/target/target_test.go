package target

import (
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime/rules"
)

// cores are the full names of cores.
var cores = []string{
	"Cortex-M0", "Cortex-M0+", "Cortex-M3", "Cortex-M4", "Cortex-M7", "Cortex-M23", "Cortex-M33", "Cortex-M52", "Cortex-M55", "Cortex-M85",
	"RISC-V (RV32)", "RISC-V (RV32IMAC)", "RISC-V (RV32IMAFC)", "RISC-V (RV32IMC)",
	"Xtensa HiFi 3", "Xtensa HiFi 4", "Xtensa HiFi 5", "Xtensa L106", "Xtensa LX6", "Xtensa LX7", "x86-64 or AArch64",
}

// TestTable checks what every target of the table has.
func TestTable(t *testing.T) {
	list := List()
	if !slices.IsSortedFunc(list, func(a, b *Target) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("the names are not sorted")
	}
	valid := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	chips, boards := 0, 0
	for i, g := range list {
		switch {
		case g.Chip != "":
			boards++
		case g.Regions != nil:
			chips++
		}
		if !valid.MatchString(g.Name) || g.Title == "" || i > 0 && list[i-1].Name == g.Name {
			t.Errorf("%q, %q: not a name of lower case and dashes, or there twice, or without a title", g.Name, g.Title)
		}
		if !slices.Contains(cores, g.Core) {
			t.Errorf("%s: unknown core %q", g.Name, g.Core)
		}
		if (g.Kernels == "") == (g.KernelsNote == "") {
			t.Errorf("%s: kernels %q, note %q: one of them is to be empty", g.Name, g.Kernels, g.KernelsNote)
		}
		if (g.Regions == nil) != (g.Source == "") {
			t.Errorf("%s: regions %v, source %q: one without the other", g.Name, g.Regions, g.Source)
		}
		if (g.Clock == 0) != (g.ClockSource == "") || g.Clock < 0 || g.Clock > 1000 || g.Clock > 0 && g.Regions == nil {
			t.Errorf("%s: clock %d MHz of %q: one without the other, or of a core", g.Name, g.Clock, g.ClockSource)
		}
		end := uint64(0)
		for _, r := range g.Regions {
			if r.Name == "" || r.Bytes <= 0 || r.Start < end || r.Start+uint64(r.Bytes) > math.MaxUint32 {
				t.Errorf("%s: region %v is empty, unsorted, overlaps, or is beyond 4 GiB", g.Name, r)
			}
			end = r.Start + uint64(r.Bytes)
		}
		checkBuild(t, g)
		if got, err := Lookup(g.Name); err != nil || got != g {
			t.Errorf("%s: found %v, %v", g.Name, got, err)
		}
	}
	if chips < 30 || boards < 30 || len(table) >= 17_000 {
		t.Errorf("%d chips and %d boards in %d bytes", chips, boards, len(table))
	}
}

// checkBuild: package rules knows the ABI and the kernels, with their release and for this ABI.
func checkBuild(t *testing.T, g *Target) {
	t.Helper()
	d, err := rules.DefaultDevice().WithABI(g.ABI.Name)
	if err == nil && g.Kernels != "" {
		d, err = d.WithKernels(g.Kernels)
	}
	if err != nil {
		t.Fatalf("%s: %v", g.Name, err)
	}
	if g.Kernels != "" && (d.Kernels != g.Kernels || rules.WithRelease(g.Kernels) != g.Kernels) {
		t.Errorf("%s: kernels %q without a release, not %q", g.Name, g.Kernels, d.Kernels)
	}
	usual, err := rules.UsualDevice(g.Kernels)
	if family, _, _ := d.Library(); g.Kernels != "" && family != "reference" && (err != nil || usual.ABI.Name != g.ABI.Name) {
		t.Errorf("%s: %s is usually built for the ABI %s, not %s: %v", g.Name, g.Kernels, usual.ABI.Name, g.ABI.Name, err)
	}
}

// TestBoards: a board has all of its chip, and a chip is no board.
func TestBoards(t *testing.T) {
	for _, board := range List() {
		if board.Chip == "" {
			continue
		}
		chip, err := Lookup(board.Chip)
		if err != nil {
			t.Fatal(err)
		}
		want := *chip
		want.Name, want.Title, want.Chip = board.Name, board.Title, board.Chip
		if chip.Chip != "" || cmp.Diff(&want, board, cmp.AllowUnexported(rules.ABI{})) != "" {
			t.Errorf("%s is not its chip %s: %+v", board.Name, chip.Name, board)
		}
	}
}

// TestKernels: the libraries of known targets, and the two kinds that are not modelled.
func TestKernels(t *testing.T) {
	for name, want := range map[string]string{
		"cortex-m0plus": "cmsis-nn-scalar", "rp2040": "cmsis-nn-scalar", "blue-pill": "cmsis-nn-scalar",
		"cortex-m4": "cmsis-nn-dsp", "cortex-m7": "cmsis-nn-dsp", "cortex-m33": "cmsis-nn-dsp", "microbit-v2": "cmsis-nn-dsp", "raspberry-pi-pico-2": "cmsis-nn-dsp",
		"cortex-m55": "cmsis-nn-mve", "cortex-m85": "cmsis-nn-mve", "alif-ensemble-e7": "cmsis-nn-mve", "ra8d1": "cmsis-nn-mve",
		"esp32": "esp-nn-generic", "esp32-c3": "esp-nn-generic", "esp32-s2": "esp-nn-generic", "esp32-s3": "esp-nn-s3", "esp32-p4": "esp-nn-p4", "esp32-s3-box": "esp-nn-s3",
		"riscv32": "reference", "host": "reference", "hifi-4": "", "efr32mg24": "", "esp8266": "",
	} {
		g, err := Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		if want != "" {
			want = rules.WithRelease(want)
		}
		if g.Kernels != want {
			t.Errorf("%s: %q, want %q", name, g.Kernels, want)
		}
	}
}

// TestSRAMOfDatasheets compares regions with the memory that vendors give on the first page of datasheets,
// in KiB, less the ITCM and the backup SRAM.
func TestSRAMOfDatasheets(t *testing.T) {
	for name, want := range map[string]int64{
		"apollo3": 384, "apollo3p": 768, "apollo4p": 2816, "efr32mg24": 256, "imxrt1062": 1024, "k64f": 256, "kl25z": 16,
		"max78000": 128, "mcxn947": 512, "nrf52832": 64, "nrf52833": 128, "nrf52840": 256, "nrf5340": 512, "nrf54l15": 256, "nrf9160": 256,
		"ra4m1": 32, "ra6m5": 512, "rp2040": 264, "rp2350": 520, "samd21g18": 32, "samd51p19": 192, "same70q21": 384,
		"stm32f103c8": 20, "stm32f303re": 80, "stm32f401re": 96, "stm32f407": 192, "stm32f411": 128, "stm32f412": 256, "stm32f429": 256,
		"stm32f446": 128, "stm32f469": 384, "stm32f746": 320, "stm32f767": 512, "stm32f769": 512, "stm32g0b1": 144, "stm32g474": 128,
		"stm32h563": 640, "stm32h743": 192 - 64 + 864, "stm32l475": 128, "stm32l476": 128, "stm32l552": 256, "stm32u575": 784, "stm32u5a9": 2512,
	} {
		g, err := Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		sum := int64(0)
		for _, r := range g.Regions {
			sum += r.Bytes
		}
		if sum != want<<10 {
			t.Errorf("%s: %d bytes in %v, want %d KiB", name, sum, g.Regions, want)
		}
	}
}

// TestClocksOfDatasheets compares clocks in MHz with those on the first page of datasheets.
func TestClocksOfDatasheets(t *testing.T) {
	for name, want := range map[string]int{
		"esp32": 240, "esp32-c3": 160, "esp32-s3": 240, "imxrt1062": 600, "nrf52840": 64, "nrf5340": 128, "ra8d1": 480,
		"samd51p19": 120, "stm32f401re": 84, "stm32f407": 168, "stm32f411": 100, "stm32f429": 180, "stm32f746": 216, "stm32g474": 170,
		"stm32h563": 250, "stm32h743": 480, "stm32h7b3": 280, "stm32l476": 80, "stm32l552": 110, "stm32u575": 160, "stm32wb55": 64,
		"portenta-h7": 480, "rp2040": 0, "cortex-m7": 0,
	} {
		if g, err := Lookup(name); err != nil || g.Clock != want {
			t.Errorf("%s: %v, %v; want %d MHz", name, g, err, want)
		}
	}
}

func TestSRAM(t *testing.T) {
	for name, want := range map[string]Region{
		"esp32-s3-box": {"dram0_0_seg", 0x3fc88000, 341_760},
		"stm32h743":    {"d1_sram", 0x24000000, 512 << 10},
		"imxrt1062":    {"dtcm", 0x20000000, 512 << 10}, // the first of equals
		"nrf5340":      {"ram0 to ram7", 0x20000000, 512 << 10},
		"cortex-m7":    {},
		"host":         {},
	} {
		g, err := Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := g.SRAM(); got != want || ok != (want.Bytes > 0) {
			t.Errorf("%s: %v, %v; want %v", name, got, ok, want)
		}
	}
}

func TestLookupNearest(t *testing.T) {
	for name, want := range map[string]string{
		"esp32s3":     `unknown target "esp32s3": did you mean esp32-s3?`,
		"ESP32-S3":    `unknown target "ESP32-S3": did you mean esp32-s3?`,
		"cortex-m5":   `unknown target "cortex-m5": did you mean cortex-m52 or cortex-m55?`,
		"stm32f746zg": `unknown target "stm32f746zg": did you mean stm32f746?`,
		"s3-box":      `unknown target "s3-box": did you mean esp32-s3-box?`,
		"pico2":       `unknown target "pico2": did you mean raspberry-pi-pico-2?`,
		"nano33ble":   `unknown target "nano33ble": did you mean arduino-nano-33-ble?`,
	} {
		if _, err := Lookup(name); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	for _, name := range []string{"", "z80", "a-very-long-name-of-nothing"} {
		if _, err := Lookup(name); err == nil || strings.Contains(err.Error(), "did you mean") {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	const header = "name,title,of,core,abi,kernels,note,regions,source,clock\n"
	if list, err := parse([]byte(header + "a,A,,C,esp,reference,,r 0x10+0x10,s,64 doc 1\nb,B,a,,,,,,,\n")); err != nil || len(list) != 2 || list[1].Chip != "a" || list[1].Clock != 64 || list[1].ClockSource != "doc 1" {
		t.Fatal(list, err)
	}
	for row, want := range map[string]string{
		"a,A,,C,esp": "wrong number of fields",
		"a,A,,C,esp,reference,,,,\na,A,,C,esp,reference,,,,": "two rows",
		"a,A,b,,,,,,,":                             `of "b"`,
		"a,A,b,,,,,,,\nb,B,a,,,,,,,":               "of itself",
		"a,A,,C,esp64,reference,,,,":               `unknown ABI "esp64"`,
		"a,A,,C,esp,cmsis,,,,":                     `"cmsis"`,
		"a,A,,C,host64,esp-nn-s3,,,,":              "32-bit pointers",
		"a,A,,C,esp,reference,,r,s,":               "NAME START+BYTES",
		"a,A,,C,esp,reference,,0x10+0x10,s,":       "NAME START+BYTES",
		"a,A,,C,esp,reference,,r 0x100000000+1,s,": "out of range",
		"a,A,,C,esp,reference,,r 0x10+many,s,":     "invalid syntax",
		"a,A,,C,esp,reference,,r 0x10+1,s,64":      "MHZ SOURCE",
		"a,A,,C,esp,reference,,r 0x10+1,s,-1 doc":  "MHZ SOURCE",
	} {
		if _, err := parse([]byte(header + row + "\n")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", row, err, want)
		}
	}
}
