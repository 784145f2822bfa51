package target

import (
	"fmt"
	"strings"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/internal/spelling"
)

// Lookup returns the target with the given name. Its error proposes the nearest names.
func Lookup(name string) (*Target, error) {
	list := all()
	i, ok := slices.BinarySearchFunc(list, name, func(t *Target, name string) int { return strings.Compare(t.Name, name) })
	if ok {
		return list[i], nil
	}
	like := nearest(name)
	if len(like) == 0 {
		return nil, fmt.Errorf("unknown target %q: none of the %d names is similar", name, len(list))
	}
	return nil, fmt.Errorf("unknown target %q: did you mean %s?", name, spelling.List(like, "or"))
}

// nearest returns the names that contain the word, dashes aside, if they are few: "raspberry-pi-pico-2"
// for "pico2". Otherwise it returns names of similar spelling.
func nearest(word string) []string {
	const (
		shortest = 4
		few      = 3
	)
	var names, within []string
	w := letters(word)
	for _, t := range all() {
		names = append(names, t.Name)
		switch l := letters(t.Name); {
		case l == w:
			return []string{t.Name}
		case len(w) >= shortest && strings.Contains(l, w):
			within = append(within, t.Name)
		}
	}
	if len(within) > 0 && len(within) <= few {
		return within
	}
	return spelling.Names(word, names)
}

// letters returns a name in lower case and without separators.
func letters(name string) string {
	return strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(name))
}
