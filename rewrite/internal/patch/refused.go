package patch

import (
	"fmt"

	"github.com/tflarena/tflarena/internal/units"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// A RefusedError says why a valid file is not rewritten.
type RefusedError struct {
	Reason string
	// Force says that the refusal can be overridden.
	Force bool
}

// Error returns the reason.
func (e *RefusedError) Error() string { return "refused: " + e.Reason }

// VendorMetadata are the entries by which compilers for other processors mark what
// they appended; their text may be a position in the file, such as
// "<npu_byte_code>1424 6956".
var VendorMetadata = map[string]bool{"NPU_BYTE_CODE": true, "LiteRtStamp": true, "LiteRtDispatchBytecodeManifestV1": true}

// CheckMovable refuses to move bytes behind the flatbuffer that nothing accounts
// for, when something is there that may know their position by a way of its own: a
// custom operator's options or a vendor's metadata. Such a file breaks silently.
// Other metadata holds no positions; "buffer_location", for example, is the text
// "outside flatbuffers".
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

// Vendor names something in the model that may hold positions of the file, such as the data
// of a vendor. It returns "" where there is nothing of the kind.
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

// placeMetadata are the entries that name operators by their index in a subgraph: edges
// that LiteRT keeps when it gives parts of the graph to delegates, and where the code of
// each operator for another processor lies. What else is known of names tensors, or, as
// debug_metadata, is referred to by the operators themselves and moves with them.
var placeMetadata = map[string]bool{"model_control_dependencies": true, "LiteRtDispatchBytecodeManifestV1": true}

// CheckPlaceMetadata refuses to give operators other indexes in a model whose metadata
// names operators by their index.
func CheckPlaceMetadata(m *tflite.Model) error {
	for _, md := range m.Metadata {
		if placeMetadata[md.Name] {
			return &RefusedError{fmt.Sprintf("the metadata %q names operators by their index, and would name others", md.Name), true}
		}
	}
	return nil
}

// Force returns the first problem as an error. Where problems are overridden, it returns
// instead what is to be said about all of them.
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
