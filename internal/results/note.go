package results

import (
	"strings"

	"github.com/tflarena/tflarena/internal/embedded"
	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite/improve"
)

// A Note is something that a reader of figures has to know, or a warning.
type Note struct {
	// Stable name of the kind, independent of the wording.
	Kind string `json:"kind"`
	// Sentence for people, whose wording may change.
	Text string `json:"text"`
}

// IsFault reports whether a warning is about a fault that fails a check of the model.
func (n Note) IsFault() bool { return n.Kind == WarnCannotRun || n.Kind == WarnWrong }

// WithoutFaults returns the warnings that a text does not begin with.
func WithoutFaults(warnings []Note) (rest []Note) {
	for _, w := range warnings {
		if !w.IsFault() {
			rest = append(rest, w)
		}
	}
	return rest
}

// faults writes the warnings about faults, for the beginning of a text.
func (s Style) faults(b *strings.Builder, warnings []Note) {
	for _, w := range warnings {
		if !w.IsFault() {
			continue
		}
		text := tables.Printable(w.Text)
		if s.Width > 0 {
			const most = 400 // of what may hold a name of any length
			text = tables.Elide(text, most)
		}
		label, rest, _ := strings.Cut(text, ": ")
		s.line(b, label, rest)
	}
}

// The kinds of notes and warnings that are not those of a library.
const (
	NoteScratch     = "scratch"            // which scratch of kernels is counted
	NoteTakeovers   = "takeovers"          // outputs that take over an input's memory
	NoteOverlaps    = "overlaps"           // outputs that are written over an input while it dies
	NoteOrders      = "orders_unproven"    // kernels whose order is known from their source alone
	NoteShared      = "plan_shares_memory" // the embedded plan shares memory on purpose
	NoteKernels     = "plan_for_kernels"   // the embedded plan is right with some kernels only
	NotePlanAside   = "plan_left_aside"    // the figures leave the embedded plan aside
	NoteHead        = "head"               // what the head rests on
	NoteArena       = "arena"              // what the arena and the required arena are
	NoteForeign     = "foreign_plan_stays" // the plan of another tool is not replaced
	NoteAlias       = "alias_gains"        // what outputs that take over inputs would gain
	NoteNoPlan      = "no_plan"            // why there is no plan
	NoteEstimated   = "estimated"          // what a plan of a model rests on
	NoteSliced      = "sliced"             // which layers were cut by output channels
	NoteMended      = "mended"             // where the published method would have made a wrong plan
	NoteShapes      = "input_shapes"       // what the runtime makes of --shape
	WarnFile        = "file"               // what is unusual about the file
	WarnCannotRun   = "cannot_run"         // the runtime would not run the model
	WarnCustom      = "custom_kernel"      // the application has to bring a kernel
	WarnUnproven    = "kernel_unknown"     // what a kernel asks for is not known
	WarnColumn      = "unknown_column"     // a column of a problem means nothing here
	WarnApproach    = "approach_left_out"  // an approach cannot plan the input
	WarnForeignLost = "foreign_plan_lost"  // the plan of another tool goes
	WarnUnfollowed  = "plan_unfollowed"    // the runtime cannot follow the embedded plan
	WarnUnverified  = "plan_unverified"    // there is no verdict about the embedded plan
	WarnBroken      = "plan_broken"        // the embedded plan breaks a law
	WarnNoHead      = "head_unknown"       // the head with the embedded plan is not known
	WarnLiteRT      = "wrong_in_litert"    // LiteRT computes other results than the model describes
	WarnKernel      = "kernel_fault"       // some builds of a kernel library get something wrong
	WarnWrong       = "wrong_results"      // the runtime computes wrong results
	WarnOldMemory   = "old_memory"         // an output depends on what the arena held before
	NoteUnused      = "scratch_unused"     // kernels request scratch that they do not use
	WarnLibrary     = "library_unknown"    // the embedded plan is right with kernels that are not known
	WarnOlder       = "older_runtime"      // an older TensorFlow Lite Micro fails a budget
	WarnTrace       = "trace"              // what is unusual about a trace, or missing in it
)

// ruleKinds are what the notes of a view are called.
var ruleKinds = map[rules.NoteKind]string{
	rules.NotCounted: "not_counted", rules.Unused: "unused_tensors", rules.SeenAsActive: "constants_seen_as_activations",
	rules.HiddenCalls: "hidden_calls", rules.OneSubgraph: "one_subgraph", rules.DynamicShape: "dynamic_shape", rules.NoShape: "no_shape",
	rules.NeedsDriver: "needs_driver",
}

// RuleNotes returns what a view notes.
func RuleNotes(list []rules.Note) []Note {
	notes := make([]Note, 0, len(list))
	for _, n := range list {
		notes = append(notes, Note{ruleKinds[n.Kind], n.Text})
	}
	return notes
}

// improveKinds are what the notes and warnings about a rewritten model are called.
var improveKinds = map[improve.Kind]string{
	improve.Unordered: "order_not_tried", improve.LargerInLiteRT: "order_larger_in_litert", improve.WrongIfOrdered: "order_wrong_in_litert",
	improve.OrderRefused: "order_refused", improve.OrderUnforced: "order_refused", improve.OrderNoSmaller: "order_no_smaller",
	improve.TakesOver: NoteTakeovers, improve.WritesOver: NoteOverlaps, improve.ForKernels: NoteKernels, improve.RightInLiteRT: "order_mends_litert", improve.ArenaLags: "arena_gains_less",
	improve.PlanUnfollowed: WarnUnfollowed, improve.PlanUnverified: WarnUnverified, improve.PlanBroken: WarnBroken,
	improve.WrongInLiteRT: WarnLiteRT, improve.WrongAsItIs: WarnLiteRT, improve.StillWrong: WarnLiteRT,
	improve.Mended: "order_mended", improve.ForeignLost: WarnForeignLost,
}

// ImproveNote returns a note about a rewritten model, in the words given.
func ImproveNote(kind improve.Kind, text string) Note { return Note{improveKinds[kind], text} }

// troubleKinds are what warnings about an embedded plan are called.
var troubleKinds = map[embedded.Trouble]string{embedded.Unfollowed: WarnUnfollowed, embedded.Unverified: WarnUnverified, embedded.Broken: WarnBroken}

// PlanWarning returns a warning about an embedded plan.
func PlanWarning(kind embedded.Trouble, text string) Note { return Note{troubleKinds[kind], text} }

// Notes returns texts as notes of one kind.
func Notes(kind string, texts []string) []Note {
	notes := make([]Note, 0, len(texts))
	for _, text := range texts {
		notes = append(notes, Note{kind, text})
	}
	return notes
}
