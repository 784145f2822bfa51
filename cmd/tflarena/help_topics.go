package main

import (
	"fmt"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime/rules"
)

// topics are the help pages that belong to no single command.
var topics = map[string]func() string{
	"alias":      func() string { return topic("IN-PLACE OUTPUTS", aliasDescription) },
	"cache":      func() string { return topic("CACHE", cacheTopic) },
	"config":     func() string { return topic("CONFIG", configTopic()) },
	"exit-codes": func() string { return topic("EXIT CODES", exitCodesTopic) },
	"faults":     func() string { return topic("FAULTS", faultsTopic) },
	"files":      func() string { return topic("FILES", filesTopic) },
	"kernels":    describeKernels,
	"pictures":   func() string { return topic("PICTURES", picturesTopic) },
	"runtimes":   func() string { return "RUNTIMES\n" + describeRuntimes() + "\n" },
	"problems":   func() string { return topic("PROBLEMS", problemsTopic) },
	"rules":      describeRules,
	"segments":   func() string { return topic("SEGMENTS", segmentsTopic) },
	"sizes":      func() string { return topic("SIZES", sizesTopic) },
	"strategies": func() string { return "STRATEGIES\n" + describeStrategies() + "\n" },
	"tiles":      func() string { return topic("TILES", tilesTopic) },
}

func topicNames() (names []string) {
	for topic := range topics {
		names = append(names, topic)
	}
	slices.Sort(names)
	return names
}

// topic returns a page with a title and a text.
func topic(title, text string) string {
	const indent = 3
	return title + "\n" + paragraphs(strings.TrimSuffix(text, "\n"), indent) + "\n"
}

const sizesTopic = `A SIZE is a number of bytes: 65536 or 65536B. With a unit it is K, KB or KiB for 1024 bytes, M, MB or MiB for 1024 K, and G or T in the same way. Units are case-insensitive; a space before the unit is allowed. A number with a unit may have a fraction, and is rounded down to whole bytes: 64K, 64kB, 64 KiB and 0.0625 MiB are 65,536 bytes each. Flags and budget files take the same sizes.
`

// describeKernels returns the page about ABIs and kernel libraries.
func describeKernels() string {
	var list strings.Builder
	for _, abi := range rules.ABIs() {
		if d, err := rules.DefaultDevice().WithABI(abi); err == nil { // a name of its own list
			fmt.Fprintf(&list, "  %-6s  %s\n", abi, d.ABI.Title)
		}
	}
	return topic("KERNELS", strings.NewReplacer("ABIS\n", list.String(), "LIBRARIES\n", describeLibraries(), "RELEASES\n", describeReleases()).Replace(kernelsTopic))
}

// describeLibraries lists the kernel libraries.
func describeLibraries() string {
	var list strings.Builder
	for _, library := range rules.KernelLibraries() {
		fmt.Fprintf(&list, "  %-20s  %s\n", library, rules.KernelSummary(library))
	}
	return list.String()
}

// describeReleases lists the releases of the kernel libraries that have several.
func describeReleases() string {
	var list strings.Builder
	for _, library := range rules.KernelLibraries() {
		if releases := rules.KernelReleases(library); len(releases) > 1 {
			fmt.Fprintf(&list, "  %-20s  %s\n", library, strings.Join(releases, ", "))
		}
	}
	return list.String()
}

const kernelsTopic = `--target names a chip or a board and sets its usual kernel library and ABI ('tflarena targets'). For another build, set both.

The arena depends on the sizes of pointers and enums in the compiler of the firmware. --abi names them:
ABIS

Kernels request scratch in addition to the tensors, and keep persistent data. How much depends on the kernel library of the firmware, which --kernels names. The default of --abi is then the usual one of this library:
LIBRARIES

A release may follow the name: --kernels esp-nn-s3@1.2.1. Without one, figures are for the newest modelled release:
RELEASES

For any other release, 'tflarena analyze MODEL --kernels LIBRARY@RELEASE -o probe=DIR' writes a C program and the line that compiles it on your computer with your copy of the library, whose size functions are plain C. It prints the scratch of the model's operators; pass that to --scratch, with the same --kernels.

--kernels also decides which in-place outputs are allowed (--alias). What is known of CMSIS-NN and ESP-NN is for 32-bit pointers. docs/kernels.md lists what each kernel requests.

For other kernels, --scratch FILE reads a CSV file with the columns subgraph, operator and bytes, and a row for each request. --scratch none counts none.

The arena of a model with a custom operator of the application is not known: no budget is met, and check exits 4. A row of --scratch FILE for the operator makes it known: bytes is 0 if the kernel requests no scratch, and an optional column persistent has the bytes that the kernel allocates with AllocatePersistentBuffer. tflarena counts the kernels that TensorFlow Lite Micro has for custom operators, such as TFLM_DECODE, the signal library and Ethos-U.

--resource-variables N counts room for N variables: the number that the application passes to MicroResourceVariables::Create. Without this flag, tflarena counts room for one variable for each name in the model.

--decompression-memory SIZE is for applications that call SetDecompressionMemory. Outputs of TFLM_DECODE that fit into a region of this size are not in the arena. Each TFLM_DECODE fills the region from its start, so an output that the next one overwrites before it is read is a fault.
`
