// Package spelling proposes known names for a mistyped one.
package spelling

import (
	"fmt"
	"strings"

	"golang.org/x/exp/slices"
)

// maxNames is the largest number of proposed names.
const maxNames = 2

// Names returns the names most similar to a word, at most two, in the order of the list. A name is
// similar to a word that becomes it with few edits, about one in three letters, where an edit inserts,
// deletes or replaces a letter, or swaps two neighbours. From three letters on, a name that begins with
// the word is similar, more so than one with an edit. Case and the choice of "-" or "_" do not count.
func Names(word string, names []string) []string {
	const (
		shortest = 3
		halves   = 2 // of an edit; a name that extends the word counts one
	)
	w := normalized(word)
	limit := halves * max(1, len(w)/3)
	best := limit + 1
	var like []string
	for _, name := range names {
		n := normalized(name)
		d := halves * distance(w, n)
		if d >= halves*len(w) {
			d = limit + 1 // all letters of the word would be replaced
		}
		if len(w) >= shortest && strings.HasPrefix(n, w) {
			d = min(d, 1)
		}
		if d > limit || d > best || slices.Contains(like, name) {
			continue
		}
		if d < best {
			best, like = d, nil
		}
		like = append(like, name)
	}
	return like[:min(len(like), maxNames)]
}

// Hint asks whether one of the names was meant, with a final space: "did you mean analyze? ". It
// returns "" if none is similar to the word.
func Hint(word string, names []string) string {
	like := Names(word, names)
	if len(like) == 0 {
		return ""
	}
	return "did you mean " + List(like, "or") + "? "
}

// List returns names as a phrase, with a word such as "or" before the last one.
func List(names []string, word string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " " + word + " " + names[last]
}

// Few returns the first few names as a phrase, with the number of the others if there are at least two.
func Few(names []string, few int) string {
	if others := len(names) - few; others > 1 {
		names = append(slices.Clone(names[:few]), fmt.Sprintf("%d others", others))
	}
	return List(names, "and")
}

func normalized(name string) string { return strings.ReplaceAll(strings.ToLower(name), "_", "-") }

// distance returns the least number of edits from a to b, in which swapped letters are not edited again
// (optimal string alignment). It counts bytes.
func distance(a, b string) int {
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next := make([]int, len(b)+1)
		next[0] = i + 1
		for j := range len(b) {
			other := 0
			if a[i] != b[j] {
				other = 1
			}
			next[j+1] = min(row[j+1]+1, next[j]+1, row[j]+other)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
