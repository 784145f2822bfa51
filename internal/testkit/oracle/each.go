package oracle

import (
	"sync/atomic"
	"testing"
)

// processes is the number of processes that run models concurrently.
const processes = 2

// Each calls f for every index below n, a few concurrently, each with separate runtimes, and returns
// when all are done. Without the runtimes it does as [Require].
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
