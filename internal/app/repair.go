package app

import (
	"context"
	"time"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/transform"
	"github.com/tflarena/tflarena/tflite"
)

// repairTime limits the search for a repair that is only proposed.
const repairTime = 2 * time.Second

// Repairable reports whether rules avoid all faults of a model that make a check fail, of which it has some. It
// is false if that takes too long to find out.
func Repairable(ctx context.Context, m *tflite.Model, d rules.Device) bool {
	faults := rules.Failing(d.Rules().Faults(m))
	if len(faults) == 0 {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, repairTime)
	defer cancel()
	w := &rewriting{options: RewriteOptions{Repair: true}, model: m, unchanged: &rewrite.Result{Method: rewrite.Unchanged}}
	w.options.Device = d
	return w.repair(ctx) == nil && len(rules.Failing(d.Rules().Faults(w.model))) == 0
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
