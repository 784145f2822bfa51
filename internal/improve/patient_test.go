package improve

import (
	"context"
	"testing"
	"time"
)

// TestWithoutDeadline: who interrupts is heard, also while something runs; a deadline is not.
func TestWithoutDeadline(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	patient, release := withoutDeadline(ctx)
	defer release()
	if patient.Err() != nil {
		t.Fatalf("ended at once: %v", patient.Err())
	}
	cancel()
	<-patient.Done() // for ever, if nobody hears

	late, cancelLate := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancelLate()
	patient, release = withoutDeadline(late)
	defer release()
	if patient.Err() != nil || late.Err() != context.DeadlineExceeded {
		t.Errorf("after a deadline (%v): %v", late.Err(), patient.Err())
	}

	patient, release = withoutDeadline(ctx)
	defer release()
	if patient.Err() != context.Canceled {
		t.Errorf("after an interrupt: %v", patient.Err())
	}
}
