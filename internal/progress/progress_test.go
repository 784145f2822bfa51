package progress

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestQuickWorkShowsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		l := Start(&out, "planning")
		time.Sleep(delay - time.Millisecond)
		l.Stop()
		if out.Len() > 0 {
			t.Errorf("%q", out.String())
		}
	})
}

func TestLongWorkShowsALineAndErasesIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		l := Start(&out, "planning")
		time.Sleep(delay + time.Millisecond)
		l.Set("best 54 KiB")
		time.Sleep(interval)
		l.Stop()
		const erase = "\r\x1b[K"
		if want := erase + "planning, 0.5 s" + erase + "best 54 KiB, 0.6 s" + erase; out.String() != want {
			t.Errorf("got %q, want %q", out.String(), want)
		}
		if strings.Contains(out.String(), "\n") {
			t.Error("more than one line")
		}
	})
}

func TestNilLine(t *testing.T) {
	var l *Line
	l.Set("nothing")
	l.Stop()
}
