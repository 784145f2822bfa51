// Package property checks laws on random input until enough draws were significant cases, because a
// test that saw only easy cases has tested nothing.
package property

import (
	"testing"

	"pgregory.net/rapid"
)

// rounds bounds the number of runs of rapid by [Until].
const rounds = 50

// Until checks a property as [rapid.Check] does, and continues until enough reports that all
// significant cases have occurred. It fails if they never do. So their coverage does not depend on
// rapid's number of inputs, which is small with -short.
func Until(t *testing.T, enough func() bool, property func(*rapid.T)) {
	t.Helper()
	for range rounds {
		rapid.Check(t, property)
		if t.Failed() || enough() {
			return
		}
	}
	t.Errorf("in %d rounds of draws not every case came up that the test is about", rounds)
}
