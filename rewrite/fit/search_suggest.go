package fit

import (
	"context"

	"github.com/tflarena/tflarena/lifetime/rules"
)

// sharingScale is how far is searched for what outputs that take over inputs would gain, as a
// multiple of what is done where they may.
const sharingScale = 1. / 16

// suggest tries, in small searches, outputs that take over inputs, where nothing was gained
// without, or not enough. It notes the least freedom with which there is a gain, or that with
// which the model is within the budgets.
func (f *fitter) suggest(ctx context.Context, base *fitter) error {
	gained := len(f.report.Rungs) > 1
	if f.report.Interrupted || f.aliases() || f.done() || gained && f.least() {
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
		r := l.best()
		s := &Sharing{Alias: alias, Head: r.Head, Arena: r.Smallest, Met: f.goal.met(r)}
		if f.prefers(r, f.best()) && (f.report.Sharing == nil || s.Met) {
			f.report.Sharing = s
		}
		if f.report.Sharing != nil && (s.Met || f.least()) {
			return nil
		}
	}
	return nil
}
