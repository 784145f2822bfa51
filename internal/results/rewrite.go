package results

import (
	"github.com/tflarena/tflarena/internal/improve"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/pin"
)

// An Action is what the command "rewrite" did with the memory plan of a model.
type Action string

// The actions.
const (
	Embedded  Action = "embedded"  // a plan was written into the model
	Removed   Action = "removed"   // the plan was taken out
	Kept      Action = "kept"      // the plan that the model had stays
	Copied    Action = "copied"    // the model has no plan, and needs none
	Reordered Action = "reordered" // the operators changed places, and no plan is needed
	// CodesFilled says that operator codes were filled for older runtimes, and that no plan is needed.
	CodesFilled Action = "codes_filled"
	// WeightsInlined says that weights were moved into the flatbuffer, and that no plan is needed.
	WeightsInlined Action = "weights_inlined"
	// Transformed says that operators were replaced by rules, and that no plan is needed.
	Transformed Action = "transformed"
	// Slimmed says that parts of the file that no runtime reads were omitted, and that no plan is needed.
	Slimmed Action = "slimmed"
)

// actions are what they are called.
var actions = map[improve.Action]Action{
	improve.Embedded: Embedded, improve.Removed: Removed, improve.Kept: Kept, improve.Copied: Copied, improve.Reordered: Reordered, improve.Filled: CodesFilled, improve.Inlined: WeightsInlined,
	improve.Transformed: Transformed, improve.Slimmed: Slimmed,
}

// A Rewrite is the output of "rewrite". Heads are the runtime's, with the scratch that Scratch names.
type Rewrite struct {
	Input string `json:"input"`
	// Path of the written model; empty if none is written.
	Output string `json:"output"`
	// What was done with the memory plan of the model.
	Action Action `json:"action"`
	// Why nothing was gained, for people; empty otherwise.
	Reason string `json:"reason"`
	// How the bytes of the file were changed.
	Method rewrite.Method `json:"method"`
	// Extent of the embedded plan: the tensors at the peak, or all. Empty if no plan was made.
	Pin pin.Mode `json:"pin"`
	// Strategy of the embedded plan; empty if no plan was made.
	Strategy string `json:"strategy"`
	// Source of the counted kernel scratch: `none`, the file that lists it, or the kernel library that requests it.
	Scratch string `json:"scratch"`
	// Number of counted scratch requests.
	ScratchRequests int `json:"scratch_requests"`
	// Size of a pointer on the target, in bytes.
	PointerBytes int64 `json:"pointer_bytes"`
	PlanBroken   bool  `json:"plan_broken"`
	// ABI that the arena is counted for: the sizes of pointers and enums. `check --help` explains them.
	ABI string `json:"abi"`
	KernelLibrary
	// Unmodified model, with its embedded plan if the runtime can follow it.
	Before State `json:"before"`
	// Model as it is written, or would be written.
	After State `json:"after"`
	// Reduction of the head in bytes, compared with the unmodified model, or with head_without_plan_bytes if a
	// broken plan is removed; negative if it grew.
	SavedBytes int64 `json:"saved_head_bytes"`
	// Head without an embedded plan, in bytes.
	OnlineBytes     int64 `json:"head_without_plan_bytes"`
	LowerBoundBytes int64 `json:"lower_bound_bytes"`
	TensorsFixed    int   `json:"tensors_fixed"`
	TensorsPlanned  int   `json:"tensors_planned"`
	// Permitted in-place and overlapping outputs, as the flag `--alias` names them.
	Alias     rules.Alias `json:"alias"`
	Takeovers []Takeover  `json:"in_place"`
	Overlaps  []Overlap   `json:"overlaps"`
	Order     *Order      `json:"order,omitempty"`
	// Rules that replaced operators, in order.
	Rules []Rule `json:"rules"`
	// Kinds of operators that the unmodified model lacks, and that the runtime's resolver needs in addition.
	NewOperators []string `json:"new_operators"`
	// Parts of the file that were omitted because no runtime reads them.
	Slimmed []Saving `json:"slimmed"`
	// Number of operators at another place in the order.
	OperatorsMoved int `json:"operators_moved"`
	// Bytes by which the old contents of the file moved back; negative if forward.
	ShiftBytes  int64 `json:"shift_bytes"`
	Interrupted bool  `json:"interrupted"`
	// Command line that checks the result against its budget in a build; empty if no file has it.
	Next   string  `json:"next"`
	Faults []Fault `json:"faults"`
	// Operators, as SUBGRAPH:INDEX NAME, whose tiles and buffers are unchanged because their kernels have faults.
	LeftUntouched []string `json:"left_untouched"`
	// Changes made to the file, for people.
	Changes  []string `json:"changes"`
	Notes    []Note   `json:"notes"`
	Warnings []Note   `json:"warnings"`
}

// NewRewrite returns an outcome as a result, without notes of others. Output is the path of the new
// model, and requests is the number of counted scratch requests.
func NewRewrite(input, output string, g improve.Goal, o *improve.Outcome, requests int) *Rewrite {
	r := &Rewrite{
		Input: input, Output: output, Action: actions[o.Action], Reason: o.Reason.Text, Method: o.Method,
		Pin: o.Pin, Strategy: o.Strategy, Scratch: g.Device.ScratchSource(), ScratchRequests: requests,
		ABI: g.Device.ABI.Name, KernelLibrary: NewKernelLibrary(g.Device), PointerBytes: g.Device.ABI.Pointer, PlanBroken: o.PlanBroken,
		Before: NewState(o.Before), After: NewState(o.After), SavedBytes: o.Saved, OnlineBytes: o.Online, LowerBoundBytes: o.Bound,
		TensorsFixed: o.After.Fixed, TensorsPlanned: o.Planned,
		Alias: g.Alias, Takeovers: NewTakeovers(o.Records, o.Takeovers), Overlaps: NewOverlaps(o.Records, o.Overlaps), OperatorsMoved: o.Moved,
		ShiftBytes: o.Shift, Interrupted: o.Interrupted, Faults: NewFaults(o.Faults), LeftUntouched: leftUntouched(o.Faults), Changes: present(o.Changes), Notes: improveNotes(o.Notes), Warnings: improveNotes(o.Warnings),
	}
	if o.Ordering != nil {
		r.Order = NewOrder(o.Ordering)
		r.Order.WrittenPeakBytes = o.WrittenPeak
	}
	return r
}

func NewState(f improve.State) State {
	return State{
		Figures:   f.Stated(),
		FileBytes: f.File,
	}
}
