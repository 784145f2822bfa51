package results

import (
	"reflect"

	"github.com/tflarena/tflarena/alloc/replay"
	"github.com/tflarena/tflarena/internal/modeldiff"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/provenance"
)

// typeNames are the names of types whose own would be mistaken for others.
var typeNames = map[reflect.Type]string{
	reflect.TypeOf(modeldiff.Operator{}):                   "FileOperator",
	reflect.TypeOf(modeldiff.Tensor{}):                     "FileTensor",
	reflect.TypeOf(modeldiff.List[modeldiff.Operator]{}):   "OperatorChanges",
	reflect.TypeOf(modeldiff.List[modeldiff.Tensor]{}):     "TensorChanges",
	reflect.TypeOf(modeldiff.Change[modeldiff.Operator]{}): "OperatorChange",
	reflect.TypeOf(modeldiff.Change[modeldiff.Tensor]{}):   "TensorChange",
	reflect.TypeOf(modeldiff.Plan{}):                       "PlanChange",
	reflect.TypeOf(modeldiff.Metadata{}):                   "MetadataChanges",
	reflect.TypeOf(provenance.Rule{}):                      "RecordedRule",
}

// withProblem are the types that have two forms: one with all fields but "problem", and one
// without these.
var withProblem = map[reflect.Type][]string{
	reflect.TypeOf(Order{}): {
		"peak_bytes", "least_peak_bytes", "written_peak_bytes", "least_peak_bound_bytes", "least_peak_proven", "least_peak_keeps_effects", "search_states", "interrupted",
	},
	reflect.TypeOf(Entry{}): {"total_bytes", "proven_optimal", "elapsed_ns"},
}

// knownValues are the values of fields whose type does not list them, by name, or by type and name.
var knownValues = map[string][]string{
	"Plan.approach":        {"offsets", "shared", "textures"},
	"pin":                  {"", "peak", "all"},
	"abi":                  rules.ABIs(),
	"halos":                {"recompute", "keep"},
	"marker_change":        {string(modeldiff.PlanSame), string(modeldiff.PlanAdded), string(modeldiff.PlanRemoved), string(modeldiff.PlanChanged)},
	"figure":               {"required_bytes", "head_bytes", "size_bytes", "used_bytes"},
	"FitStep.name":         {"as it is", "no plan", "plan", "order", "clean-up", "separation", "substitution", "tiling", "in-place"},
	"runtime":              {"", "tflm", "litert", "paper"},
	"Diff.runtime":         {"tflm", "litert", "paper"},
	"StreamPlacement.type": {"weight", "activation", "intermediate"},
	"ReportGraph.name":     {GraphFile, GraphReordered, GraphFitted, GraphTiles},
	"graph":                {GraphFile, GraphReordered, GraphFitted, GraphTiles},
	"found_by":             {replay.ByAnnotations, replay.BySteps, replay.BySizes},
}
