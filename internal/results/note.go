package results

import (
	"strings"

	"github.com/tflarena/tflarena/internal/embedded"
	"github.com/tflarena/tflarena/internal/improve"
	"github.com/tflarena/tflarena/internal/tables"
	"github.com/tflarena/tflarena/lifetime/rules"
)

// A Note is a note on figures, or a warning.
type Note struct {
	// Stable name of the kind, independent of the wording.
	Kind NoteKind `json:"kind"`
	// Sentence for people, whose wording may change.
	Text string `json:"text"`
	// What mends it, for those who can say how.
	Remedy Remedy `json:"-"`
}

// A Remedy is what mends the subject of a note. The commands name their flag for it.
type Remedy int

// The remedies of notes.
const (
	NoRemedy     Remedy = iota
	Reorder             // another order of the operators
	Verify              // none, but verification names the broken law
	CountKernels        // figures for the kernels of the embedded plan
	Inline              // moving constants into the flatbuffer
	Repair              // rules that replace operators
	StateScratch        // the scratch of a kernel that is not known
)

// IsFault reports whether a warning is about a fault that fails a check of the model.
func (n Note) IsFault() bool { return n.Kind == WarnCannotRun || n.Kind == WarnWrong }

// WithoutFaults returns the warnings that do not begin a text.
func WithoutFaults(warnings []Note) (rest []Note) {
	for _, w := range warnings {
		if !w.IsFault() {
			rest = append(rest, w)
		}
	}
	return rest
}

// faults writes the warnings about faults at the beginning of a text.
func (s Style) faults(b *strings.Builder, warnings []Note) {
	for _, w := range warnings {
		if !w.IsFault() {
			continue
		}
		text := tables.Printable(w.Text)
		if s.Width > 0 {
			const most = 400 // names may have any length
			text = tables.Elide(text, most)
		}
		label, rest, _ := strings.Cut(text, ": ")
		s.line(b, label, rest)
	}
}

// A NoteKind is the kind of a note or a warning.
type NoteKind string

// The kinds of notes and warnings that are not those of a library.
const (
	NoteScratch     NoteKind = "scratch"            // which scratch of kernels is counted
	NoteInPlace     NoteKind = "in_place"           // outputs in the memory of an input
	NoteOverlaps    NoteKind = "overlaps"           // outputs that are written over an input while it dies
	NoteOrders      NoteKind = "orders_unproven"    // kernels whose order is known from their source alone
	NoteShared      NoteKind = "plan_shares_memory" // the embedded plan shares memory on purpose
	NoteKernels     NoteKind = "plan_for_kernels"   // the embedded plan is right with some kernels only
	NoteRules       NoteKind = "rules"              // the rules by which operators were replaced
	NoteRelease     NoteKind = "release_unmodelled" // which faults a release that is not modelled may have
	NoteRepaired    NoteKind = "repaired_for"       // the kernels for which faults were repaired
	NoteEnd         NoteKind = "inclusive_end"      // the column "end" of a problem is read as inclusive
	NotePlanAside   NoteKind = "plan_left_aside"    // the figures leave the embedded plan aside
	NoteHead        NoteKind = "head"               // what the head rests on
	NoteArena       NoteKind = "arena"              // what the arena and the required arena are
	NoteForeign     NoteKind = "foreign_plan_stays" // the plan of another tool is not replaced
	NoteAlias       NoteKind = "alias_gains"        // what outputs that take over inputs would gain
	NoteNoPlan      NoteKind = "no_plan"            // why there is no plan
	NoteEstimated   NoteKind = "estimated"          // what a plan of a model rests on
	NoteSliced      NoteKind = "sliced"             // which layers were cut by output channels
	NoteTiled       NoteKind = "tiled"              // how activations were tiled
	NoteMended      NoteKind = "mended"             // where the published method would have made a wrong plan
	NoteShapes      NoteKind = "input_shapes"       // what the runtime makes of --shape
	WarnFile        NoteKind = "file"               // what is unusual about the file
	WarnCannotRun   NoteKind = "cannot_run"         // the runtime would not run the model
	WarnCustom      NoteKind = "custom_kernel"      // the application has to bring a kernel
	WarnUnproven    NoteKind = "kernel_unknown"     // what a kernel asks for is not known
	WarnColumn      NoteKind = "unknown_column"     // a column of a problem means nothing here
	WarnApproach    NoteKind = "approach_left_out"  // an approach cannot plan the input
	WarnForeignLost NoteKind = "foreign_plan_lost"  // the plan of another tool goes
	WarnUnfollowed  NoteKind = "plan_unfollowed"    // the runtime cannot follow the embedded plan
	WarnUnverified  NoteKind = "plan_unverified"    // there is no verdict about the embedded plan
	WarnBroken      NoteKind = "plan_broken"        // the embedded plan breaks a law
	WarnNoHead      NoteKind = "head_unknown"       // the head with the embedded plan is not known
	WarnLiteRT      NoteKind = "wrong_in_litert"    // LiteRT computes other results than the model describes
	WarnKernel      NoteKind = "kernel_fault"       // some builds of a kernel library get something wrong
	WarnWrong       NoteKind = "wrong_results"      // the runtime computes wrong results
	WarnOldMemory   NoteKind = "old_memory"         // an output depends on what the arena held before
	NoteUnused      NoteKind = "scratch_unused"     // kernels request scratch that they do not use
	WarnLibrary     NoteKind = "library_unknown"    // the embedded plan is right with kernels that are not known
	WarnOlder       NoteKind = "older_runtime"      // an older TensorFlow Lite Micro fails a budget
	NoteNoTexture   NoteKind = "no_texture"         // tensors that no texture holds
	WarnTrace       NoteKind = "trace"              // what is unusual about a trace, or missing in it
)

// The kinds of notes of a view and of a rewritten model.
const (
	noteNotCounted                 NoteKind = "not_counted"
	noteUnusedTensors              NoteKind = "unused_tensors"
	noteConstantsSeenAsActivations NoteKind = "constants_seen_as_activations"
	noteHiddenCalls                NoteKind = "hidden_calls"
	noteOneSubgraph                NoteKind = "one_subgraph"
	noteDynamicShape               NoteKind = "dynamic_shape"
	noteNoShape                    NoteKind = "no_shape"
	noteNeedsDriver                NoteKind = "needs_driver"
	noteOrderNotTried              NoteKind = "order_not_tried"
	noteOrderLargerInLiteRT        NoteKind = "order_larger_in_litert"
	noteOrderWrongInLiteRT         NoteKind = "order_wrong_in_litert"
	noteOrderRefused               NoteKind = "order_refused"
	noteOrderNoSmaller             NoteKind = "order_no_smaller"
	noteOrderMendsLiteRT           NoteKind = "order_mends_litert"
	noteArenaGainsLess             NoteKind = "arena_gains_less"
	noteOrderMended                NoteKind = "order_mended"
)

// ruleKinds are what the notes of a view are called.
var ruleKinds = map[rules.NoteKind]NoteKind{
	rules.NotCounted: noteNotCounted, rules.Unused: noteUnusedTensors, rules.SeenAsActive: noteConstantsSeenAsActivations,
	rules.HiddenCalls: noteHiddenCalls, rules.OneSubgraph: noteOneSubgraph, rules.DynamicShape: noteDynamicShape, rules.NoShape: noteNoShape,
	rules.NeedsDriver: noteNeedsDriver,
}

// RuleNotes returns the notes of a view.
func RuleNotes(list []rules.Note) []Note {
	notes := make([]Note, 0, len(list))
	for _, n := range list {
		notes = append(notes, Note{Kind: ruleKinds[n.Kind], Text: n.Text})
	}
	return notes
}

// improveKinds are what the notes and warnings about a rewritten model are called.
var improveKinds = map[improve.Kind]NoteKind{
	improve.Unordered: noteOrderNotTried, improve.LargerInLiteRT: noteOrderLargerInLiteRT, improve.WrongIfOrdered: noteOrderWrongInLiteRT,
	improve.OrderRefused: noteOrderRefused, improve.OrderUnforced: noteOrderRefused, improve.OrderNoSmaller: noteOrderNoSmaller,
	improve.TakesOver: NoteInPlace, improve.WritesOver: NoteOverlaps, improve.ForKernels: NoteKernels, improve.RightInLiteRT: noteOrderMendsLiteRT, improve.ArenaLags: noteArenaGainsLess,
	improve.PlanUnfollowed: WarnUnfollowed, improve.PlanUnverified: WarnUnverified, improve.PlanBroken: WarnBroken,
	improve.WrongInLiteRT: WarnLiteRT, improve.WrongAsItIs: WarnLiteRT, improve.StillWrong: WarnLiteRT,
	improve.Mended: noteOrderMended, improve.ForeignLost: WarnForeignLost,
}

// improveNotes returns notes about a rewritten model.
func improveNotes(list []improve.Note) []Note {
	notes := []Note{}
	for _, n := range list {
		notes = append(notes, Note{Kind: improveKinds[n.Kind], Text: n.Text})
	}
	return notes
}

// troubleKinds are what warnings about an embedded plan are called.
var troubleKinds = map[embedded.Trouble]NoteKind{embedded.Unfollowed: WarnUnfollowed, embedded.Unverified: WarnUnverified, embedded.Broken: WarnBroken}

// PlanWarning returns a warning about an embedded plan.
func PlanWarning(kind embedded.Trouble, text string) Note {
	return Note{Kind: troubleKinds[kind], Text: text}
}

// Notes returns texts as notes of one kind.
func Notes(kind NoteKind, texts []string) []Note {
	notes := make([]Note, 0, len(texts))
	for _, text := range texts {
		notes = append(notes, Note{Kind: kind, Text: text})
	}
	return notes
}
