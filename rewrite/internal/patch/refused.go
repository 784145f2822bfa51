package patch

import (
	"fmt"

	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// RefusedError is the reason why a valid file is not rewritten.
type RefusedError struct {
	Reason string
	// Force reports whether the refusal can be overridden.
	Force bool
}

// Error returns the reason.
func (e *RefusedError) Error() string { return "refused: " + e.Reason }

// VendorMetadata are the names of entries with which compilers for other processors mark data
// they appended. Their text may be a file position, such as "<npu_byte_code>1424 6956".
var VendorMetadata = map[string]bool{"NPU_BYTE_CODE": true, "LiteRtStamp": true, "LiteRtDispatchBytecodeManifestV1": true}

// CheckMovable refuses to move unaccounted bytes after the flatbuffer if a custom operator's
// options or a vendor's metadata may hold their position: such a file breaks silently. Other
// metadata holds no positions; "buffer_location", for example, is the text "outside
// flatbuffers".
func CheckMovable(m *tflite.Model) error {
	who := Vendor(m)
	if who == "" {
		return nil
	}
	for _, r := range m.Trailing {
		if r.Kind == "unknown" {
			return &RefusedError{fmt.Sprintf(
				"nothing accounts for %s behind the flatbuffer, at %#x, and %s may hold their absolute position, which would not move along",
				units.ExactBytes(r.End-r.Start), r.Start, who), true}
		}
	}
	return nil
}

// Vendor names a part of the model that may hold file positions, such as a vendor's data, or
// returns "".
func Vendor(m *tflite.Model) string {
	for _, c := range m.OperatorCodes {
		if c.Custom != "" || c.Builtin == schema.BuiltinOperatorCUSTOM {
			return fmt.Sprintf("the custom operator %q", c.Custom)
		}
	}
	for _, md := range m.Metadata {
		if VendorMetadata[md.Name] {
			return fmt.Sprintf("the metadata %q", md.Name)
		}
	}
	return ""
}

// placeMetadata are the entries that name operators by their index in a subgraph: edges that
// LiteRT preserves when it assigns parts of the graph to delegates, and the position of each
// operator's code for another processor. Other known metadata names tensors or, like
// debug_metadata, is referenced by the operators and moves with them.
var placeMetadata = map[string]bool{"model_control_dependencies": true, "LiteRtDispatchBytecodeManifestV1": true}

// CheckPlaceMetadata refuses to change operator indexes in a model whose metadata names
// operators by index.
func CheckPlaceMetadata(m *tflite.Model) error {
	for _, md := range m.Metadata {
		if placeMetadata[md.Name] {
			return &RefusedError{fmt.Sprintf("the metadata %q names operators by their index, and would name others", md.Name), true}
		}
	}
	return nil
}

// Force returns the first problem as an error. If overridden, it instead returns messages about
// all of them.
func Force(overridden bool, problems ...error) (forced []string, err error) {
	for _, problem := range problems {
		switch {
		case problem == nil:
		case !overridden:
			return nil, problem
		default:
			forced = append(forced, "forced, though "+problem.Error())
		}
	}
	return forced, nil
}
