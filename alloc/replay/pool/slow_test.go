package pool

// slow is the rules once more, in lists that are searched from the beginning. It shares no code
// with Pool but the numbers that are written here again.
type slow struct {
	kind             string // "caching", "expandable" or "chainer"
	segments         []*slowSegment
	reserved, serial int64
	limit            int64
	handle           int
}

type slowSegment struct {
	lane  int
	small bool
	parts []slowPart
}

// A slowPart is in use if its handle is above zero.
type slowPart struct {
	size     int64
	handle   int
	unmapped bool
	freed    int64
}

const kib, mib = int64(1024), int64(1024 * 1024)

func (s *slow) units(bytes, unit int64) int64 {
	for n := bytes / unit; ; n++ {
		if n*unit >= bytes {
			return n * unit
		}
	}
}

func (s *slow) alloc(lane int, size int64) (handle int, ok bool) {
	if size = s.units(size, 512); size == 0 {
		size = 512
	}
	small := s.kind != "chainer" && size <= mib
	seg, k := s.best(lane, small, size)
	if seg == nil {
		if seg, k = s.more(lane, small, size); seg == nil {
			return 0, false
		}
	}
	rest := seg.parts[k].size - size
	cut := rest >= 512
	if s.kind == "caching" && !small {
		cut = rest > mib
	}
	if cut {
		s.serial++
		seg.split(k, size)
		seg.parts[k+1].freed = s.serial
	}
	s.handle++
	seg.parts[k].handle = s.handle
	return s.handle, true
}

func (g *slowSegment) split(k int, size int64) {
	rest := g.parts[k]
	rest.size -= size
	g.parts[k].size = size
	g.parts = append(g.parts[:k+1], append([]slowPart{rest}, g.parts[k+1:]...)...)
}

// best looks at every free part. The numbers of segments grow with addresses, so the first of
// equal parts has the lowest address.
func (s *slow) best(lane int, small bool, size int64) (seg *slowSegment, k int) {
	type found struct {
		seg *slowSegment
		k   int
	}
	var order []found // by size, then as the kind has it
	for _, g := range s.segments {
		for i, p := range g.parts {
			if g.lane == lane && g.small == small && p.handle == 0 && !p.unmapped && p.size >= size {
				at := 0
				for ; at < len(order); at++ {
					q := order[at].seg.parts[order[at].k]
					if q.size > p.size || q.size == p.size && s.kind == "chainer" && p.freed > q.freed {
						break
					}
				}
				order = append(order[:at], append([]found{{g, i}}, order[at:]...)...)
			}
		}
	}
	if len(order) == 0 {
		return nil, 0
	}
	chosen := order[0]
	if s.kind == "expandable" {
		reach := func(f found) int64 {
			n := f.seg.parts[f.k].size
			if f.k+1 < len(f.seg.parts) && f.seg.parts[f.k+1].unmapped {
				n += f.seg.parts[f.k+1].size
			}
			return n
		}
		for _, f := range order[1:] {
			if reach(f) >= reach(chosen) {
				break
			}
			chosen = f
		}
	}
	return chosen.seg, chosen.k
}

func (s *slow) more(lane int, small bool, size int64) (*slowSegment, int) {
	var bytes int64
	switch {
	case s.kind == "chainer":
		bytes = size
	case s.kind == "expandable":
		return s.grow(lane, small, size)
	case size <= mib:
		bytes = 2 * mib
	case size < 10*mib:
		bytes = 20 * mib
	default:
		bytes = s.units(size, 2*mib)
	}
	if s.limit > 0 && s.reserved+bytes > s.limit {
		var kept []*slowSegment
		for _, g := range s.segments {
			if len(g.parts) == 1 && g.parts[0].handle == 0 {
				s.reserved -= g.parts[0].size
			} else {
				kept = append(kept, g)
			}
		}
		s.segments = kept
		if s.reserved+bytes > s.limit {
			return nil, 0
		}
	}
	s.reserved += bytes
	g := &slowSegment{lane: lane, small: small, parts: []slowPart{{size: bytes}}}
	s.segments = append(s.segments, g)
	return g, 0
}

// grow is for expandable segments, of which each lane and kind has one with room for all.
func (s *slow) grow(lane int, small bool, size int64) (*slowSegment, int) {
	var g *slowSegment
	for _, h := range s.segments {
		if h.lane == lane && h.small == small {
			g = h
		}
	}
	if g == nil {
		g = &slowSegment{lane: lane, small: small, parts: []slowPart{{size: 1 << 45, unmapped: true}}}
		s.segments = append(s.segments, g)
	}
	unit := 20 * mib
	if small {
		unit = 2 * mib
	}
	for k := range g.parts {
		first := k
		if !g.parts[k].unmapped {
			continue
		}
		if k > 0 && g.parts[k-1].handle == 0 && !g.parts[k-1].unmapped {
			first = k - 1
		}
		room := int64(0)
		for i := first; i < len(g.parts) && g.parts[i].handle == 0; i++ {
			room += g.parts[i].size
		}
		if room < size {
			continue
		}
		have := int64(0)
		if first < k {
			have = g.parts[first].size
		}
		bytes := s.units(size-have, unit)
		s.reserved += bytes
		g.split(k, bytes)
		g.parts[k].unmapped = false
		if first < k {
			g.parts[first].size += bytes
			g.parts = append(g.parts[:k], g.parts[k+1:]...)
		}
		return g, first
	}
	return nil, 0
}

func (s *slow) free(handle int) {
	for _, g := range s.segments {
		for k := range g.parts {
			if g.parts[k].handle != handle {
				continue
			}
			s.serial++
			g.parts[k].handle, g.parts[k].freed = 0, s.serial
			free := func(i int) bool {
				return i >= 0 && i < len(g.parts) && g.parts[i].handle == 0 && !g.parts[i].unmapped
			}
			for _, i := range []int{k, k - 1} {
				if free(i) && free(i+1) {
					g.parts[i].size += g.parts[i+1].size
					g.parts[i].freed = s.serial
					g.parts = append(g.parts[:i+1], g.parts[i+2:]...)
				}
			}
			return
		}
	}
}
