package kernels

import (
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// A Library is a set of kernels that the runtime is linked with.
type Library struct {
	// Family is the project: "reference", "cmsis-nn" or "esp-nn". Variant is the build of it, such
	// as "s3" or "mve-size", and Version the release or the commit; both are "" for the reference.
	Family, Variant, Version string
	// Title describes it to people.
	Title string
	// Usual is the ABI that it is built for most often. Narrow says that what is known of it
	// is for 32-bit pointers alone.
	Usual  ABI
	Narrow bool
	// builtins and customs say what its kernels ask for, by operator. A kernel that is not
	// there is that of the reference library, as the runtime's build system has it.
	builtins map[schema.BuiltinOperator]demand
	customs  map[string]demand
}

// Reference is the library of the reference kernels.
var Reference = &Library{Family: "reference", Title: "the reference kernels of TensorFlow Lite Micro", builtins: reference, customs: referenceCustom}

// Libraries is the registry. A new library is an entry here and a file with its tables.
var Libraries = []*Library{
	Reference,
	arm("mve", "for Helium (MVE)", armBuild{core: mve}),
	arm("mve-size", "for Helium (MVE)", armBuild{core: mve, small: true}),
	arm("dsp", "for the DSP extension", armBuild{core: dsp}),
	arm("dsp-size", "for the DSP extension", armBuild{core: dsp, small: true}),
	arm("scalar", "without SIMD", armBuild{core: scalar}),
	arm("scalar-size", "without SIMD", armBuild{core: scalar, small: true}),
	esp("s3", "for the ESP32-S3", espS3),
	esp("p4", "for the ESP32-P4", espP4),
	esp("generic", "in optimised C, for other chips", espGeneric),
	esp("ansi", "in plain C", espANSI),
}

// The newest releases whose sizes are modelled.
const (
	armVersion = "99f736a"
	espVersion = "1.2.3"
)

// Name returns the name by which people choose the library.
func (l *Library) Name() string {
	if l.Variant == "" {
		return l.Family
	}
	return l.Family + "-" + l.Variant
}

func arm(variant, cores string, b armBuild) *Library {
	made := "speed"
	if b.small {
		made = "size"
	}
	return &Library{
		Family: "cmsis-nn", Variant: variant, Version: armVersion, Title: "CMSIS-NN " + cores + ", built for " + made,
		Usual: ARM, Narrow: true, builtins: cmsisNN(b),
	}
}

func esp(variant, chips string, b espBuild) *Library {
	return &Library{
		Family: "esp-nn", Variant: variant, Version: espVersion, Title: "ESP-NN " + chips,
		Usual: ESP, Narrow: true, builtins: espNN(b),
	}
}

// A Build is what the sizes that kernels ask for depend on: the library and the ABI.
type Build struct {
	Library *Library
	ABI     ABI
}

// demand returns what the kernel of an operator asks for; known is false where no library
// has such a kernel.
func (l *Library) demand(m *tflite.Model, op *tflite.Operator) (d demand, known bool) {
	code := m.OperatorCodes[op.Code].Builtin
	if code != schema.BuiltinOperatorCUSTOM {
		return l.builtin(code)
	}
	if d, known = l.customs[op.Name]; !known {
		d, known = referenceCustom[op.Name]
	}
	return d, known
}

func (l *Library) builtin(code schema.BuiltinOperator) (d demand, known bool) {
	if d, known = l.builtins[code]; !known {
		d, known = reference[code]
	}
	return d, known
}
