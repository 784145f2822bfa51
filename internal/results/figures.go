package results

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// UnknownText is the reason why an arena is unknown.
func UnknownText(f rules.Figures) string {
	var parts []string
	for _, u := range f.Unknown.Operators {
		more := ""
		if u.Operators > 1 {
			more = fmt.Sprintf(" (%d operators)", u.Operators)
		}
		const most = 48 // names may have any length
		parts = append(parts, fmt.Sprintf("operator %d:%d %s%s %s", u.Subgraph, u.Operator, tables.Elide(tables.Printable(u.Name), most), more, u.Reason))
	}
	return strings.Join(parts, "; ")
}

// A KernelLibrary is the kernel library of figures, zero for the reference kernels.
type KernelLibrary struct {
	// Kernel library that the figures are for, with its release, as the flag `--kernels` names it. Absent for the
	// reference kernels.
	Kernels string `json:"kernels,omitempty"`
	// Description of the kernel library for people: its name and release, whether that is the newest modelled, and
	// its build settings. Absent for the reference kernels.
	KernelsTitle string `json:"kernels_title,omitempty"`
}

// NewKernelLibrary returns the kernel library of a target.
func NewKernelLibrary(device rules.Device) KernelLibrary {
	if device.IsReference() {
		return KernelLibrary{}
	}
	return KernelLibrary{Kernels: device.Kernels, KernelsTitle: device.KernelsTitle}
}

// kernels writes a line about the library, unless its kernels are the reference kernels.
func (s Style) kernels(b *strings.Builder, l KernelLibrary) {
	if l.Kernels != "" {
		s.line(b, "kernels", l.Kernels+": "+l.KernelsTitle)
	}
}

// builtFor names the kernels and the ABI of figures for people.
func builtFor(abi, kernels string) string {
	return cmp.Or(kernels, "reference kernels") + ", " + abi
}

// A State is a model before or after a change.
type State struct {
	rules.Figures
	// Size of the file in bytes.
	FileBytes int64 `json:"file_bytes"`
}
