package results

import "fmt"

// arenaText says what an arena holds in a build, in a line of its own.
func (s Style) arenaText(f Figures, build string) string {
	if !f.Known() {
		return fmt.Sprintf("%s (%s): %s; head without its scratch %s", s.Paint.Bad(notKnown), build, f.UnknownText(), s.bytes(f.HeadBytes))
	}
	return fmt.Sprintf("%s = head %s + tail %s; smallest arena %s (%s)",
		s.Paint.Strong(s.bytes(f.ArenaBytes)), s.exact(f.HeadBytes), s.exact(f.TailBytes), s.short(f.SmallestArenaBytes), build)
}

// arenaChange writes an arena and what it was before, or why it is not known.
func (s Style) arenaChange(now, before Figures, build string) string {
	if !now.Known() {
		return s.arenaText(now, build)
	}
	return s.Paint.Strong(s.bytes(now.ArenaBytes)) + s.was(now.ArenaBytes, before.ArenaBytes) + " (" + build + ")"
}

// cell is a figure of the arena in a table.
func (f Figures) cell(bytes int64) any {
	if !f.Known() {
		return "-"
	}
	return bytes
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
