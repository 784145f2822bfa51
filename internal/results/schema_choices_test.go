package results

import (
	"reflect"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/alloc/replay"
	"github.com/tflarena/tflarena/internal/modeldiff"
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
}

// withProblem are the types that have two forms: one with all fields but "problem", and one
// without these.
var withProblem = map[reflect.Type][]string{
	reflect.TypeOf(Order{}): {
		"peak_bytes", "least_peak_bytes", "written_peak_bytes", "least_peak_bound_bytes", "least_peak_proven", "least_peak_keeps_effects", "search_states", "interrupted",
	},
	reflect.TypeOf(Entry{}): {"total_bytes", "proven_optimal", "elapsed_ns"},
}

// choices are the words that a field can be, by its name alone or behind that of its type;
// nil for any.
var choices = map[string][]string{
	"approach":             {"offsets", "shared"},
	"verdict":              {Fits, Infeasible, Open},
	"action":               {Embedded, Removed, Kept, Copied, Reordered, CodesFilled, WeightsInlined},
	"method":               {"in place", "prefix", "restored", "unchanged"},
	"pin":                  {"", "peak", "all"},
	"alias":                {"off", "safe", "elementwise", "overwrite", "diagonal", "unmeasured"},
	"Marker.alias":         nil, // whatever the file says
	"abi":                  {"esp", "arm", "host64"},
	"severity":             {"failure", "aliasing", "note"},
	"Fault.kind":           {"does-not-run", "wrong-results", "old-memory"},
	"phase":                {"no kernel", "Prepare", "planning", "Eval"},
	"halos":                {"recompute", "keep"},
	"change":               {modeldiff.PlanNone, modeldiff.PlanSame, modeldiff.PlanAdded, modeldiff.PlanRemoved, modeldiff.PlanChanged},
	"marker_change":        {modeldiff.PlanSame, modeldiff.PlanAdded, modeldiff.PlanRemoved, modeldiff.PlanChanged},
	"differences":          {differOrder, differOperators, differTensors, differData, differPlan, differMetadata, differOther, differEncoding},
	"figure":               {"required_bytes", "head_bytes", "size_bytes", "used_bytes"},
	"group":                {"tables", "irregular", "papers"},
	"Budget.name":          {"arena", "head", "tensor", "growth"},
	"Rung.name":            {"as it is", "no plan", "plan", "order", "clean-up", "patches", "aliases"},
	"Plan.semantics":       {"atomic", "simultaneous"},
	"tile":                 {"rows", "pixels", "channels", "whole", "own"},
	"Problem.kind":         {Unreadable, Invalid, Faulty, NoAnswer, Interrupted, Failure},
	"Note.kind":            noteKinds(),
	"runtime":              {"", "tflm", "litert", "paper"},
	"Diff.runtime":         {"tflm", "litert", "paper"},
	"StreamPlacement.type": {"weight", "activation", "intermediate"},
	"Plan.approach":        {"offsets", "shared", "textures"},
	"role":                 {"input", "output", "activation", "variable", "constant", "scratch", "weight", "resident", "intermediate", "block", "tensor"},
	"ReportGraph.name":     {GraphFile, GraphReordered, GraphFitted, GraphTiles},
	"graph":                {GraphFile, GraphReordered, GraphFitted, GraphTiles},
	"allocator":            {PyTorch, PyTorchExpandable, Chainer, ProfileGuided},
	"found_by":             {replay.ByAnnotations, replay.BySteps, replay.BySizes},
}

// noteKinds returns the kinds of all notes and warnings.
func noteKinds() []string {
	list := []string{
		NoteScratch, NoteTakeovers, NoteOverlaps, NoteOrders, NoteShared, NoteKernels, NotePlanAside, NoteHead, NoteArena, NoteForeign, NoteAlias,
		NoteNoPlan, NoteEstimated, NoteSliced, NoteMended, NoteShapes, NoteUnused,
		WarnFile, WarnCannotRun, WarnCustom, WarnUnproven, WarnKernel, WarnWrong, WarnOldMemory, WarnLibrary, WarnOlder, WarnColumn, WarnApproach, WarnForeignLost,
		WarnUnfollowed, WarnUnverified, WarnBroken, WarnNoHead, WarnLiteRT, WarnTrace,
	}
	for _, kind := range ruleKinds {
		list = append(list, kind)
	}
	for _, kind := range improveKinds {
		list = append(list, kind)
	}
	slices.Sort(list)
	return slices.Compact(list)
}
