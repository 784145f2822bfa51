package verify

import (
	"errors"
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
)

// marker reads the marker of the plan. An unreadable marker may exclude the kernels at hand,
// and a marker without a plan shows that a tool unaware of markers removed the plan.
func (v *verifier) marker() {
	marker, err := rewrite.ReadMarker(v.model)
	if bad := (*rewrite.PlanError)(nil); errors.As(err, &bad) {
		v.out.Findings = append(v.out.Findings, Finding{
			Law: Law(bad.Law), Severity: Failure, Message: bad.Message, Path: bad.Path, Offset: bad.Offset,
		})
		return
	}
	v.out.Marker = marker
	v.judgeMarker()
	if marker == nil || slices.ContainsFunc(v.model.Metadata, func(md tflite.Metadata) bool { return md.Name == rewrite.PlanName }) {
		return
	}
	v.out.Findings = append(v.out.Findings, Finding{
		Law: LawMarker, Severity: Failure, Path: fmt.Sprintf("metadata[%d]", v.markerEntry()),
		Message: "there is a marker, but no plan for it",
	})
}

// judgeMarker compares the marker's kernels with the kernels checked for. A plan with
// overlapping outputs is valid only for the marker's kernels.
func (v *verifier) judgeMarker() {
	marker := v.out.Marker
	switch {
	case marker == nil:
	case v.kernels == "" || rules.WithRelease(v.kernels) == rules.OfMarker(marker.Kernels):
		v.kernels = rules.OfMarker(marker.Kernels)
	default:
		unknown := ""
		if !rules.IsKernelLibrary(marker.Kernels) {
			unknown = ", which are unknown here"
		}
		v.out.Findings = append(v.out.Findings, Finding{
			Law: LawMarker, Severity: Failure, Path: fmt.Sprintf("metadata[%d]", v.markerEntry()),
			Message: fmt.Sprintf("the plan is right with the %s kernels only (alias level %s)%s, and not with the %s kernels", rules.OfMarker(marker.Kernels), marker.Alias, unknown, v.kernels),
		})
	}
}

// markerEntry returns the marker's index in the metadata.
func (v *verifier) markerEntry() int {
	return slices.IndexFunc(v.model.Metadata, func(md tflite.Metadata) bool { return md.Name == rewrite.MarkerName })
}
