package improve

// Note is a fact found; its text is a sentence without a full stop.
type Note struct {
	Kind Kind
	Text string
}

// Kind is the subject of a note.
type Kind int

// Kinds of reasons of an action, of notes and of warnings.
const (
	Asked          Kind = iota // a reason: as requested, or a gain; no text
	ForeignStays               // a reason: another tool's plan stays without [Goal.Force]
	NoBetterPlan               // a reason: no plan is better than the existing one
	NoSmallerArena             // a reason: a smaller head is possible, but no smaller arena
	AtBound                    // a reason: the runtime's own planner reaches the lower bound
	NoPlanHelps                // a reason: no plan is better than the runtime's own planner
	NotFollowed                // a reason: the runtime could not follow the plan
	WasBroken                  // a reason: the plan was broken
	NotNeeded                  // a reason: the runtime does as well without the plan
	NoPlan                     // a reason: there is no plan to remove
	SamePlan                   // a reason: the model already has this plan
	OrderAlone                 // a reason: the runtime's own planner plans the new order
	OutOfTime                  // a reason: the context ended before there was a result

	Unordered      // a note: the context ended before another order was planned
	LargerInLiteRT // a note: a better order is rejected without [Goal.IgnoreLiteRT]
	WrongIfOrdered // a note: likewise, since LiteRT computes wrong results in it
	OrderRefused   // a note: the rewriter refuses a better order
	OrderUnforced  // a note: likewise, without [Goal.Force]
	OrderNoSmaller // a note: another order has a smaller head, but no smaller arena
	TakesOver      // a note: outputs are in-place
	WritesOver     // a note: outputs overlap inputs that die meanwhile
	ForKernels     // a note: the plan that stays is valid only for some kernels
	RightInLiteRT  // a note: LiteRT runs the new order correctly, but not the file's
	ArenaLags      // a note: the arena shrinks by less than the head

	PlanUnfollowed // a warning: the runtime cannot follow the embedded plan
	PlanUnverified // a warning: the plan could not be verified
	PlanBroken     // a warning: it breaks a law
	WrongInLiteRT  // a warning: LiteRT runs the model incorrectly in every order
	WrongAsItIs    // a warning: likewise, but it runs another order correctly
	Mended         // a warning: the operators were in an invalid order
	ForeignLost    // a warning: the plan of another tool is removed
	StillWrong     // a warning: LiteRT runs the new order incorrectly
)
