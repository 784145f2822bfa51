package coloring

import "golang.org/x/exp/slices"

// assign returns an object for each item, numbered by descending size, after decide has found room.
func (f *fitter) assign() []int {
	classes := slices.Clone(f.lo)
	for _, clique := range f.in.cliques {
		f.matchSingles(clique, classes)
	}
	objects := make([]int, len(classes))
	idle := make([][]int, len(f.class)) // idle objects by class
	for c := range idle {
		for k := f.objectsUpTo[c] - 1; k >= f.objectsUpTo[c]-f.objects(c, c); k-- {
			idle[c] = append(idle[c], k)
		}
	}
	for t, clique := range f.in.cliques {
		if t > 0 {
			for _, i := range f.in.cliques[t-1] {
				if f.in.items[i].to == t-1 {
					idle[classes[i]] = append(idle[classes[i]], objects[i])
				}
			}
		}
		for _, i := range clique {
			if f.in.items[i].from == t {
				free := &idle[classes[i]]
				objects[i] = (*free)[len(*free)-1]
				*free = (*free)[:len(*free)-1]
			}
		}
	}
	return objects
}

// matchSingles chooses the classes of the items of this clique alone: class by class, it takes the
// allowed items with the fewest further classes.
func (f *fitter) matchSingles(clique, classes []int) {
	left := make([]int, len(f.class))
	for c := range left {
		left[c] = f.objects(c, c)
	}
	var singles []int
	for _, i := range clique {
		if it := f.in.items[i]; it.from == it.to {
			singles = append(singles, i)
		} else {
			left[classes[i]]--
		}
	}
	slices.SortFunc(singles, func(i, j int) int { return f.hi[i] - f.hi[j] })
	for c := range left {
		for k := 0; k < len(singles) && left[c] > 0; {
			i := singles[k]
			if f.lo[i] > c {
				k++
				continue
			}
			classes[i] = c
			left[c]--
			singles = slices.Delete(singles, k, k+1)
		}
	}
}
