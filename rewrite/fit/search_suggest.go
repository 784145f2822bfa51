package fit

import (
	"context"

	"github.com/tflarena/tflarena/lifetime/rules"
)

// sharingScale is the effort of searches for the gain of in-place outputs, as a multiple of the
// effort when they are permitted.
const sharingScale = 1. / 16

// suggest tries in-place outputs, in small searches, if the goal is the smallest head and
// nothing was gained without them. It records the lowest --alias level with a gain. [Explain]
// does this for budgets.
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
