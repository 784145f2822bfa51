package app

import (
	"context"
	"errors"
	"time"

	"github.com/tflarena/tflarena/internal/notes"
	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/transform"
	"github.com/tflarena/tflarena/tflite"
)

// repairTime limits the search for a repair that is only proposed.
const repairTime = 2 * time.Second

// Repairable reports whether [Rewrite] with Repair avoids all faults of a model that make a check fail, of which it
// has some. It is false if that takes too long to find out.
func Repairable(ctx context.Context, m *tflite.Model, d rules.Device) bool {
	if notes.RefuseFaults(m, d) == nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, repairTime)
	defer cancel()
	w := &rewriting{options: RewriteOptions{Repair: true}, model: m, unchanged: &rewrite.Result{Method: rewrite.Unchanged}}
	w.options.Device = d
	return w.keepForeign(ctx) == nil && w.repair(ctx) == nil && notes.RefuseFaults(w.model, d) == nil
}

// refuseFaults is [notes.RefuseFaults]; the error says whether one avoids the faults.
func refuseFaults(ctx context.Context, m *tflite.Model, d rules.Device) error {
	err := notes.RefuseFaults(m, d)
	if faulty := (*notes.FaultyError)(nil); errors.As(err, &faulty) {
		faulty.Repairable = Repairable(ctx, m, d)
	}
	return err
}

// repair replaces operators with a fault.
func (w *rewriting) repair(ctx context.Context) error {
	if !w.options.Repair {
		return nil
	}
	r, err := transform.Repair(ctx, w.model, w.options.transforms())
	if err == nil {
		w.take(r)
	}
	return err
}
