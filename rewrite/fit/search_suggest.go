package fit

import (
	"context"

	"github.com/tflarena/tflarena/lifetime/rules"
)

// sharingScale is how far is searched for what outputs that take over inputs would gain, as a
// multiple of what is done where they may.
const sharingScale = 1. / 16

// suggest tries, in small searches, outputs that take over inputs, where the least head is looked
// for and nothing was gained without. It notes the least freedom with which there is a gain. What
// would meet a budget, [Explain] says.
func (f *fitter) suggest(ctx context.Context, base *fitter) error {
	if f.report.Interrupted || f.aliases() || !f.least() || f.goal.plainly || len(f.report.Rungs) > 1 {
		return nil
	}
	for _, alias := range rules.Aliases()[1:] {
		l := base.branch(alias, sharingScale)
		if err := l.climb(ctx, l.cut, l.alias); err != nil {
			return err
		}
		if f.report.Interrupted = l.report.Interrupted; f.report.Interrupted {
			return nil
		}
		if r := l.best(); f.prefers(r, f.best()) {
			f.report.Sharing = &Sharing{Alias: alias, Required: r.Required, Head: r.Head}
			return nil
		}
	}
	return nil
}
