package results

import (
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/lifetime/rules"
)

// memory writes the memory of a model below its verdict, which has the required arena itself unless the
// model is at fault.
func (s Style) memory(b *strings.Builder, v Verdict, f rules.Figures) {
	if !f.Known() {
		if v != NotKnown {
			s.line(b, "required", s.Paint.Bad("not known")+": "+s.unknown(f))
		}
		return
	}
	if v == DoesNotRun || v == WrongResults {
		s.line(b, "required", s.bytes(f.Required))
	}
	s.line(b, "used", s.used(f))
}

// unknown is the reason why the memory of a model is unknown.
func (s Style) unknown(f rules.Figures) string {
	return fmt.Sprintf("%s; state what its kernel requests with --scratch FILE; head without its scratch %s", UnknownText(f), s.bytes(f.Head))
}

// used describes the used bytes.
func (s Style) used(f rules.Figures) string {
	return fmt.Sprintf("%s = head %s + tail %s", s.bytes(f.Used), s.exact(f.Head), s.exact(f.Tail))
}

// memoryText is [Style.memory] in one line.
func (s Style) memoryText(f rules.Figures, build string) string {
	if !f.Known() {
		return fmt.Sprintf("required: not known (%s): %s", build, s.unknown(f))
	}
	return fmt.Sprintf("required %s (%s), used %s", s.bytes(f.Required), build, s.used(f))
}

// cell is a figure of the arena in a table.
func cell(f rules.Figures, bytes int64) any {
	if !f.Known() {
		return "-"
	}
	return bytes
}

// was appends the previous byte count and the reduction.
func (s Style) was(now, before int64) string {
	switch {
	case now == before:
		return ", as before"
	case now > before:
		return ", was " + s.bytes(before)
	}
	return fmt.Sprintf(", was %s: %s less", s.bytes(before), s.Paint.Good(s.share(before-now, before)))
}
