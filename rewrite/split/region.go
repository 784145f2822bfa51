package split

import "strconv"

// span is a half-open range of rows or columns.
type span struct{ from, to int64 }

func (s span) len() int64             { return s.to - s.from }
func (s span) empty() bool            { return s.to <= s.from }
func (s span) shift(by int64) span    { return span{s.from + by, s.to + by} }
func (s span) within(n int64) span    { return span{max(s.from, 0), min(s.to, n)} }
func (s span) covers(other span) bool { return s.from <= other.from && other.to <= s.to }

// hull returns the smallest span containing both.
func (s span) hull(other span) span {
	switch {
	case s.empty():
		return other
	case other.empty():
		return s
	}
	return span{min(s.from, other.from), max(s.to, other.to)}
}

// region is a rectangle of a feature map, with all channels.
type region struct{ y, x span }

func (r region) empty() bool              { return r.y.empty() || r.x.empty() }
func (r region) covers(other region) bool { return r.y.covers(other.y) && r.x.covers(other.x) }
func (r region) area() int64              { return r.y.len() * r.x.len() }

func (r region) hull(other region) region {
	switch {
	case r.empty():
		return other
	case other.empty():
		return r
	}
	return region{r.y.hull(other.y), r.x.hull(other.x)}
}

// featureMap is the size of a tensor in NHWC layout with batch size 1.
type featureMap struct{ h, w, c int64 }

// single reports whether there is nothing to tile: one row and one column of a tensor that is no image.
func (l *layout) single() bool { return l.h == 1 && l.w == 1 && !isImage(l.shape) }

func (p featureMap) whole() region { return region{span{0, p.h}, span{0, p.w}} }

// label appends a human-readable description of a region.
func (p featureMap) label(text []byte, r region) []byte {
	switch whole := p.whole(); {
	case r.x == whole.x:
		return r.y.label(text, "rows ")
	case r.y == whole.y:
		return r.x.label(text, "columns ")
	}
	return r.x.label(r.y.label(text, "rows "), " columns ")
}

// label appends a human-readable span, with an inclusive end.
func (s span) label(text []byte, what string) []byte {
	text = strconv.AppendInt(append(text, what...), s.from, 10)
	return strconv.AppendInt(append(text, '-'), s.to-1, 10)
}

// pieces splits n rows into count spans whose lengths differ by at most one.
func pieces(n int64, count int) []span {
	spans := make([]span, count)
	for i := range spans {
		spans[i] = span{n * int64(i) / int64(count), n * int64(i+1) / int64(count)}
	}
	return spans
}
