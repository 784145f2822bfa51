package split

// maxTried limits how many strips are planned while the height of the first is chosen,
// counted by their nodes.
const maxTried = 1 << 16

// balanced cuts rows into strips of which the first may be lower: it has to make what the
// others find kept. The first height is that by which the most any operator takes, in and
// out, is least.
func (f *flow) balanced(rows int64, count int) []span {
	even := pieces(rows, count)
	if count < 2 {
		return even
	}
	best, least := even, f.breadth(even)
	tries := maxTried / int64(count*len(f.nodes))
	for first := even[0].len() - 1; first >= 1 && first >= even[0].len()-tries; first-- {
		spans := []span{{0, first}}
		for _, s := range pieces(rows-first, count-1) {
			spans = append(spans, s.shift(first))
		}
		if b := f.breadth(spans); b < least {
			best, least = spans, b
		}
	}
	return best
}

// breadth returns the most bytes that an operator takes in and gives out at once.
func (f *flow) breadth(spans []span) int64 {
	most, done := int64(0), map[int]int64{}
	for _, y := range spans {
		s := f.advance(done, y)
		for i, n := range f.nodes {
			p := s.plans[i]
			if p == nil || p.copied {
				continue
			}
			sum := f.bytes(n.out, p.out.area())
			for k, v := range n.read(*p) {
				sum = plus(sum, f.bytes(v, p.ins[k].area()))
			}
			most = max(most, sum)
		}
	}
	return most
}
