package oracle

import (
	"sync/atomic"
	"testing"
)

// processes is how many processes run models at the same time.
const processes = 2

// Each calls f for every index below n, a few at the same time, each with runtimes of its
// own, and returns when all are done. Where the runtimes are not installed it does as
// [Require].
func Each(t *testing.T, n int, f func(t *testing.T, runtimes *Runtimes, i int)) {
	t.Helper()
	Require(t)
	var next atomic.Int64
	t.Run("models", func(t *testing.T) {
		for range processes {
			t.Run("worker", func(t *testing.T) {
				t.Parallel()
				runtimes := Start(t)
				for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
					f(t, runtimes, i)
				}
			})
		}
	})
}
