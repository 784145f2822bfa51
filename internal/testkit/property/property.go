// Package property checks laws on random input until enough of the draws were cases that put
// the law to the test, because a test that saw only easy cases has tested nothing.
package property

import (
	"testing"

	"pgregory.net/rapid"
)

// rounds bounds how many times [Until] has rapid draw its number of inputs.
const rounds = 50

// Until checks a property as [rapid.Check] does, and goes on drawing until enough reports
// that all cases have come up that the test is about. It fails where they never do. So
// whether they come up does not depend on how many inputs rapid draws, which are few with
// -short.
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
