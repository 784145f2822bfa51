package verify

import (
	"errors"
	"fmt"

	"golang.org/x/exp/slices"

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
	if marker == nil || slices.ContainsFunc(v.model.Metadata, func(md tflite.Metadata) bool { return md.Name == rewrite.PlanName }) {
		return
	}
	entry := slices.IndexFunc(v.model.Metadata, func(md tflite.Metadata) bool { return md.Name == rewrite.MarkerName })
	v.out.Findings = append(v.out.Findings, Finding{
		Law: LawMarker, Severity: Failure, Path: fmt.Sprintf("metadata[%d]", entry),
		Message: "there is a marker, but no plan that it could be about",
	})
}
