package results

import "fmt"

// arenaText says what an arena holds in a build, in a line of its own.
func (s Style) arenaText(f Figures, build string) string {
	return fmt.Sprintf("%s = head %s + tail %s; smallest arena %s (%s)",
		s.Paint.Strong(s.bytes(f.ArenaBytes)), s.exact(f.HeadBytes), s.exact(f.TailBytes), s.short(f.SmallestArenaBytes), build)
}

// was continues a byte count with what it was before, and how much less it is.
func (s Style) was(now, before int64) string {
	switch {
	case now == before:
		return ", as before"
	case now > before:
		return ", was " + s.bytes(before)
	}
	return fmt.Sprintf(", was %s: %s less", s.bytes(before), s.Paint.Good(s.share(before-now, before)))
}
