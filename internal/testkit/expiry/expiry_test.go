package expiry

import (
	"context"
	"errors"
	"testing"
	"time"
)

func TestContext(t *testing.T) {
	c := New(2)
	child, cancel := context.WithTimeout(c, time.Hour)
	defer cancel()
	other, cancel := context.WithCancel(c)
	cancel()
	for range 2 {
		if err := c.Err(); err != nil || child.Err() != nil || other.Err() == nil {
			t.Fatalf("ended too soon: %v", err)
		}
	}
	if !errors.Is(c.Err(), context.DeadlineExceeded) || !errors.Is(child.Err(), context.DeadlineExceeded) {
		t.Fatalf("not ended: %v %v", c.Err(), child.Err())
	}
	late, cancel := context.WithCancel(c)
	defer cancel()
	<-late.Done()
	if c.Asked() != 2 || c.After() < 1 {
		t.Errorf("asked %d times, then %d", c.Asked(), c.After())
	}
	if err := Interrupted(0).Err(); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	c.Limited = true
	if _, ok := c.Deadline(); !ok {
		t.Error("no deadline")
	}
}
