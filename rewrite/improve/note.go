package improve

// A Note is something that was found out, and its text: a sentence without a full stop.
type Note struct {
	Kind Kind
	Text string
}

// A Kind says what a note is about.
type Kind int

// What the reason of an action, a note or a warning is about.
const (
	Asked          Kind = iota // a reason: it is what was asked for, or a gain; there is no text
	ForeignStays               // a reason: the plan of another tool stays without [Goal.Force]
	NoBetterPlan               // a reason: no plan is better than the one there is
	NoSmallerArena             // a reason: a smaller head is possible, and no smaller arena
	AtBound                    // a reason: the runtime's own planner reaches the lower bound
	NoPlanHelps                // a reason: no plan is better than the runtime's own planner
	NotFollowed                // a reason: the runtime could not follow the plan
	WasBroken                  // a reason: the plan was broken
	NotNeeded                  // a reason: the runtime does as well without the plan
	NoPlan                     // a reason: there is no plan to be taken out
	SamePlan                   // a reason: the model has this plan already
	OrderAlone                 // a reason: the runtime's own planner plans the new order
	OutOfTime                  // a reason: the context ended before there was anything to show

	Unordered      // a note: the context ended before another order was planned for
	LargerInLiteRT // a note: a better order is left aside without [Goal.IgnoreLiteRT]
	WrongIfOrdered // a note: the same, since LiteRT computes something else in it
	OrderRefused   // a note: the rewriter refuses a better order
	OrderUnforced  // a note: the same, without [Goal.Force]
	OrderNoSmaller // a note: another order has a smaller head, and no smaller arena
	TakesOver      // a note: outputs take over inputs' memory
	WritesOver     // a note: outputs lie over inputs that die meanwhile
	ForKernels     // a note: the plan that stays is right with some kernels alone
	RightInLiteRT  // a note: LiteRT gets the new order right, and not the file's
	ArenaLags      // a note: the arena shrinks by less than the head

	PlanUnfollowed // a warning: the runtime cannot follow the plan that the model carries
	PlanUnverified // a warning: there is no verdict about it
	PlanBroken     // a warning: it breaks a law
	WrongInLiteRT  // a warning: LiteRT gets the model wrong, in every order
	WrongAsItIs    // a warning: the same, and it gets another order right
	Mended         // a warning: the operators were in no valid order
	ForeignLost    // a warning: the plan of another tool goes
	StillWrong     // a warning: LiteRT gets the new order wrong
)
