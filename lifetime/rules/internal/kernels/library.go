package kernels

import (
	"fmt"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// A Library is a set of kernels that the runtime is linked with, in one release.
type Library struct {
	// Family is the project: "reference", "cmsis-nn" or "esp-nn". Variant is its build, such as
	// "s3" or "mve-size", and Version the release or commit; both are "" for the reference.
	Family, Variant, Version string
	// Summary describes the library, and Title also its release.
	Summary, Title string
	// Usual is its most common ABI. Narrow reports that the data applies only to 32-bit
	// pointers.
	Usual  ABI
	Narrow bool
	// Older are the earlier releases with known sizes, newest first.
	Older []*Library
	// builtins and customs hold the requests of its kernels, by operator. Missing kernels are
	// those of the reference library, as in the runtime's build system.
	builtins map[schema.BuiltinOperator]demand
	customs  map[string]demand
}

// Reference is the library of the reference kernels.
var Reference = &Library{Family: "reference", Summary: referenceTitle, Title: referenceTitle, builtins: reference, customs: referenceCustom}

const referenceTitle = "the reference kernels of TensorFlow Lite Micro"

// Libraries is the registry: the newest modelled release of each library. A new library is an entry
// here and a file with its tables.
var Libraries = []*Library{
	Reference,
	arm("mve", "for Helium (MVE)", armBuild{core: mve}),
	arm("mve-size", "for Helium (MVE)", armBuild{core: mve, small: true}),
	arm("dsp", "for the DSP extension", armBuild{core: dsp}),
	arm("dsp-size", "for the DSP extension", armBuild{core: dsp, small: true}),
	arm("scalar", "without SIMD", armBuild{core: scalar}),
	arm("scalar-size", "without SIMD", armBuild{core: scalar, small: true}),
	esp("s3", "for the ESP32-S3", release{[]string{"1.2.3"}, espS3}, release{[]string{"1.2.2", "1.2.1"}, espS3Of121}, release{first, espS3Of110}),
	esp("p4", "for the ESP32-P4", release{[]string{"1.2.3"}, espP4}, release{[]string{"1.2.2", "1.2.1"}, espP4Of110}, release{first, espP4Of110}),
	esp("generic", "in optimised C, for other chips", release{[]string{"1.2.3"}, espGeneric}),
	esp("ansi", "in plain C", release{[]string{"1.2.3"}, espANSI}),
}

// first are the releases of ESP-NN up to 1.2.0 that request the same scratch.
var first = []string{"1.2.0", "1.1.2", "1.1.1", "1.1.0"}

// newest follows the release number in a title. Later releases may request other sizes.
const newest = ", the newest modelled,"

// arm returns a build of CMSIS-NN. Its size functions did not change between two commits, so
// all commits between them are one generation.
func arm(variant, cores string, b armBuild) *Library {
	const from, to = "4ab83cc3", "99f736a"
	purpose := cores + ", built for speed"
	if b.small {
		purpose = cores + ", built for size"
	}
	l := &Library{
		Family: "cmsis-nn", Variant: variant, Version: to,
		Summary: "CMSIS-NN " + purpose, Title: "CMSIS-NN " + from + " to " + to + newest + " " + purpose,
		Usual: ARM, Narrow: true, builtins: cmsisNN(b),
	}
	older := *l
	older.Version = from
	l.Older = []*Library{&older}
	return l
}

// A release is a generation of ESP-NN: the releases that request the same scratch, newest
// first.
type release struct {
	versions []string
	build    espBuild
}

// esp returns the newest generation of ESP-NN, with the earlier ones in Older; generations are
// in order, newest first.
func esp(variant, chips string, generations ...release) *Library {
	var all []*Library
	for _, g := range generations {
		for _, version := range g.versions {
			l := &Library{
				Family: "esp-nn", Variant: variant, Version: version,
				Summary: "ESP-NN " + chips, Title: "ESP-NN " + version + " " + chips,
				Usual: ESP, Narrow: true, builtins: espNN(g.build),
			}
			if all = append(all, l); len(all) == 1 {
				l.Title = "ESP-NN " + version + newest + " " + chips
			}
		}
	}
	all[0].Older = all[1:]
	return all[0]
}

// Base returns the name of the library without its release.
func (l *Library) Base() string {
	if l.Variant == "" {
		return l.Family
	}
	return l.Family + "-" + l.Variant
}

// Name returns the name of the library in its release, such as "esp-nn-s3@1.2.3".
func (l *Library) Name() string {
	if l.Version == "" {
		return l.Base()
	}
	return l.Base() + "@" + l.Version
}

// Releases returns the releases of the library with known sizes, newest first; none for the
// reference kernels.
func (l *Library) Releases() (list []string) {
	if l.Version != "" {
		list = append(list, l.Version)
	}
	for _, o := range l.Older {
		list = append(list, o.Version)
	}
	return list
}

// An UnknownRelease is a release of a known library with unknown sizes.
type UnknownRelease struct {
	// Base is the name of the library without a release, and Version the unknown release.
	Base, Version string
	// Known are the releases with known sizes, newest first; none for the reference kernels.
	Known []string
}

func (e *UnknownRelease) Error() string {
	if len(e.Known) == 0 {
		return fmt.Sprintf("kernel library %q has no releases", e.Base)
	}
	return fmt.Sprintf("the sizes of %s in release %q are not known (known: %s)", e.Base, e.Version, strings.Join(e.Known, ", "))
}

// Lookup returns the library with a name: its base alone, for the newest modelled release, or
// with "@" and a release. Its error lists the known names, or is an [*UnknownRelease].
func Lookup(name string) (*Library, error) {
	base, version, versioned := strings.Cut(name, "@")
	i := slices.IndexFunc(Libraries, func(l *Library) bool { return l.Base() == base })
	if i < 0 {
		var names []string
		for _, l := range Libraries {
			names = append(names, l.Base())
		}
		return nil, fmt.Errorf("unknown kernel library %q (known: %s)", base, strings.Join(names, ", "))
	}
	newest := Libraries[i]
	for _, l := range append([]*Library{newest}, newest.Older...) {
		if !versioned || l.Version == version && version != "" {
			return l, nil
		}
	}
	return nil, &UnknownRelease{Base: base, Version: version, Known: newest.Releases()}
}

// A Build is the library and the ABI, which determine the sizes of requests.
type Build struct {
	Library *Library
	ABI     ABI
}

// demand returns the requests of an operator's kernel; known is false if no library has such a
// kernel.
func (l *Library) demand(m *tflite.Model, op *tflite.Operator) (d demand, known bool) {
	code := m.OperatorCodes[op.Code].Builtin
	if code != schema.BuiltinOperatorCUSTOM {
		return l.builtin(code)
	}
	if d, known = l.customs[op.Name]; !known {
		d, known = referenceCustom[op.Name]
	}
	if !known {
		d = custom
	}
	return d, known
}

// custom is the request of an application's kernel, in addition to the memory that a user
// states: the structs of all its tensors, once.
var custom = demand{prepare: []ask{inputs(0), func(k *Kernel, a Asker) {
	for i := range k.op.Outputs {
		out(i)(k, a)
	}
}}}

func (l *Library) builtin(code schema.BuiltinOperator) (d demand, known bool) {
	if d, known = l.builtins[code]; !known {
		d, known = reference[code]
	}
	return d, known
}
