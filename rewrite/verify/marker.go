package verify

import (
	"errors"
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/tflite"
)

// marker reads what the file says about the kernels of its plan. What cannot be read may say
// that the plan is wrong with the kernels at hand, and what stands beside no plan shows that
// a tool took the plan out and did not know the marker.
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

// judgeMarker compares the kernels of the marker with those that the plan is judged for. A plan
// that lets outputs lie over inputs is right with the former alone.
func (v *verifier) judgeMarker() {
	marker := v.out.Marker
	switch {
	case marker == nil:
	case v.kernels == "" || rules.WithRelease(v.kernels) == rules.WithRelease(marker.Kernels):
		v.kernels = marker.Kernels
	default:
		unknown := ""
		if !rules.IsKernelLibrary(marker.Kernels) {
			unknown = ", which are unknown here"
		}
		v.out.Findings = append(v.out.Findings, Finding{
			Law: LawMarker, Severity: Failure, Path: fmt.Sprintf("metadata[%d]", v.markerEntry()),
			Message: fmt.Sprintf("the plan is right with the %s kernels only (--alias %s)%s, and not with the %s kernels", marker.Kernels, marker.Alias, unknown, v.kernels),
		})
	}
}

// markerEntry returns where in the metadata the marker is.
func (v *verifier) markerEntry() int {
	return slices.IndexFunc(v.model.Metadata, func(md tflite.Metadata) bool { return md.Name == rewrite.MarkerName })
}
