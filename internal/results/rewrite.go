package results

import "github.com/tflarena/tflarena/rewrite/improve"

// What the command "rewrite" did with the memory plan of a model.
const (
	Embedded  = "embedded"  // a plan was written into the model
	Removed   = "removed"   // the plan was taken out
	Kept      = "kept"      // the plan that the model had stays
	Copied    = "copied"    // the model has no plan, and needs none
	Reordered = "reordered" // the operators changed places, and no plan is needed
	// CodesFilled says that operator codes were filled for older runtimes, and that no plan is needed.
	CodesFilled = "codes_filled"
	// WeightsInlined says that weights were moved into the flatbuffer, and that no plan is needed.
	WeightsInlined = "weights_inlined"
)

// actions are what they are called.
var actions = map[improve.Action]string{
	improve.Embedded: Embedded, improve.Removed: Removed, improve.Kept: Kept, improve.Copied: Copied, improve.Reordered: Reordered, improve.Filled: CodesFilled, improve.Inlined: WeightsInlined,
}

// A Rewrite is what the command "rewrite" prints. Heads are those that the runtime
// makes of the files, with the scratch that Scratch names.
type Rewrite struct {
	Input string `json:"input"`
	// Output is where the model is written, empty where it stays as it is.
	Output string `json:"output"`
	// Action is one of the constants above, Reason why nothing was gained, if so.
	Action string `json:"action"`
	Reason string `json:"reason"`
	// Method is how the bytes were changed: "in place", "prefix", "restored" or
	// "unchanged".
	Method string `json:"method"`
	// Pin, Strategy and Scratch say how the plan was made, with so many requests for
	// scratch and for pointers of so many bytes.
	Pin             string `json:"pin"`
	Strategy        string `json:"strategy"`
	Scratch         string `json:"scratch"`
	ScratchRequests int    `json:"scratch_requests"`
	PointerBytes    int64  `json:"pointer_bytes"`
	// PlanBroken says that the plan which the file had breaks a law.
	PlanBroken bool `json:"plan_broken"`
	// ABI is what Before and After are counted for. Before is with the plan that the file
	// had, if it had one that can be followed.
	ABI string `json:"abi"`
	KernelLibrary
	Before State `json:"before"`
	After  State `json:"after"`
	// OnlineBytes is the head without any plan. SavedBytes is by how much the head is below
	// what it was, or below OnlineBytes where a broken plan goes.
	SavedBytes      int64 `json:"saved_head_bytes"`
	OnlineBytes     int64 `json:"head_without_plan_bytes"`
	LowerBoundBytes int64 `json:"lower_bound_bytes"`
	TensorsFixed    int   `json:"tensors_fixed"`
	TensorsPlanned  int   `json:"tensors_planned"`
	// Alias is which outputs were allowed to take over an input's memory, Takeovers those
	// that do.
	Alias     string     `json:"alias"`
	Takeovers []Takeover `json:"takeovers"`
	// Overlaps are the outputs that are written over an input while it dies.
	Overlaps []Overlap `json:"overlaps"`
	// Order is there when another order of the operators was looked for, of which
	// OperatorsMoved have a new place.
	Order          *Order `json:"order,omitempty"`
	OperatorsMoved int    `json:"operators_moved"`
	// ShiftBytes is how far the old bytes moved back; negative forward.
	ShiftBytes  int64 `json:"shift_bytes"`
	Interrupted bool  `json:"interrupted"`
	// Next is a command line that holds what was reached; empty where no file has it.
	Next string `json:"next"`
	// Faults is what is known to go wrong when the runtime runs the model, and LeftUntouched names the
	// operators that keep their buffers because of it.
	Faults        []Fault  `json:"faults"`
	LeftUntouched []string `json:"left_untouched"`
	Changes       []string `json:"changes"`
	Notes         []Note   `json:"notes"`
	Warnings      []Note   `json:"warnings"`
}

// A Wording is what people are told of an outcome: how many requests for scratch were counted, why no more was
// done, and what else there is to say.
type Wording struct {
	ScratchRequests int
	Reason          string
	Notes, Warnings []Note
}

// NewRewrite returns an outcome as a result; output is where the model is written.
func NewRewrite(input, output string, g improve.Goal, o *improve.Outcome, w Wording) *Rewrite {
	r := &Rewrite{
		Input: input, Output: output, Action: actions[o.Action], Reason: w.Reason, Method: string(o.Method),
		Pin: string(o.Pin), Strategy: o.Strategy, Scratch: g.Device.ScratchSource(), ScratchRequests: w.ScratchRequests,
		ABI: g.Device.ABI, KernelLibrary: NewKernelLibrary(g.Device), PointerBytes: g.Device.Pointer, PlanBroken: o.PlanBroken,
		Before: NewState(o.Before), After: NewState(o.After), SavedBytes: o.Saved, OnlineBytes: o.Online, LowerBoundBytes: o.Bound,
		TensorsFixed: o.After.Fixed, TensorsPlanned: o.Planned,
		Alias: string(g.Alias), Takeovers: NewTakeovers(o.Records, o.Takeovers), Overlaps: NewOverlaps(o.Records, o.Overlaps), OperatorsMoved: o.Moved,
		ShiftBytes: o.Shift, Interrupted: o.Interrupted, Faults: NewFaults(o.Faults), LeftUntouched: leftUntouched(o.Faults), Changes: present(o.Changes), Notes: present(w.Notes), Warnings: present(w.Warnings),
	}
	if o.Ordering != nil {
		r.Order = NewOrder(o.Ordering)
		r.Order.WrittenPeakBytes = o.WrittenPeak
	}
	return r
}

// NewState returns figures as reports have them.
func NewState(f improve.Figures) State {
	return State{
		Figures:   figuresOf(f.Arena, f.Head, f.Arena-f.Head, f.Smallest, f.Unknown),
		FileBytes: f.File,
	}
}
