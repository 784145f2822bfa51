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
	// Unmarked is the release that markers without a release mean.
	Unmarked string
	// Older are the earlier releases with known sizes, newest first.
	Older []*Library
	// kernels are its own kernels. Missing kernels are those of the reference library, as in the
	// runtime's build system.
	kernels map[schema.BuiltinOperator]row
	// types are the types of inputs that its kernels compute; other inputs they leave to the reference
	// kernels. Without types, all kernels may be its own, and only copies permit in-place outputs.
	types []schema.TensorType
	// copiesAnew reports that its IF copies even if both tensors are at the same address.
	copiesAnew bool
}

const familyReference = "reference"

// Reference is the library of the reference kernels.
var Reference = &Library{Family: familyReference, Summary: referenceTitle, Title: referenceTitle}

const referenceTitle = "the reference kernels of TensorFlow Lite Micro"

// Unknown is a library that the marker of a file names and this package does not know.
var Unknown = &Library{}

// A project is the builds of kernels that are released together, each in its newest modelled release,
// and their known faults.
type project struct {
	builds []*Library
	faults []Known
}

// projects is the registry. A new kernel library is an entry here and a file with its tables.
var projects = []project{
	{builds: []*Library{Reference}, faults: append(referenceFaults, operandFaults...)},
	{builds: cmsisBuilds, faults: cmsisFaults},
	{builds: espBuilds, faults: espFaults},
}

// Libraries are the newest modelled releases of all libraries, the reference kernels first.
var Libraries = func() (list []*Library) {
	for _, p := range projects {
		list = append(list, p.builds...)
	}
	return list
}()

// newest follows the release number in a title. Later releases may request other sizes.
const newest = ", the newest modelled,"

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
func (l *Library) demand(m *tflite.Model, op *tflite.Operator) (d *demand, known bool) {
	code := m.OperatorCodes[op.Code].Builtin
	if code != schema.BuiltinOperatorCUSTOM {
		return l.builtin(code)
	}
	row, known := customRows[op.Name]
	if !known {
		return custom, false
	}
	return row.memory, true
}

// custom is the request of an application's kernel, in addition to the memory that a user
// states: the structs of all its tensors, once.
var custom = &demand{prepare: []ask{inputs(0), func(k *Kernel, a Asker) {
	for i := range k.op.Outputs {
		out(i)(k, a)
	}
}}}

func (l *Library) builtin(code schema.BuiltinOperator) (d *demand, known bool) {
	if own := l.kernels[code].memory; own != nil {
		return own, true
	}
	row, known := builtinRows[code]
	if row.memory == nil {
		return &demand{}, known
	}
	return row.memory, known
}
