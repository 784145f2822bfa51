package results

import (
	"fmt"
	"strings"

	"github.com/tflarena/tflarena/alloc/cache"
	"github.com/tflarena/tflarena/internal/units"
)

// A Cache is a cache that replaces its least recently used lines, with the counts of one run.
type Cache struct {
	// Size of the cache.
	SizeBytes int64 `json:"cache_bytes"`
	// Length of a line.
	LineBytes int64 `json:"line_bytes"`
	// Lines in a set.
	Ways int64 `json:"ways"`
	// Run with the strategy's own plan.
	Before CacheCounts `json:"before"`
	// Run with this plan, which has the same total or a smaller one.
	After CacheCounts `json:"after"`
}

// CacheCounts are the hits and misses of a run.
type CacheCounts struct {
	// Lines read or written by tensors, scratch and constants, each as often as it is accessed.
	Accesses int64 `json:"accesses"`
	// Accesses to lines that are not in the cache.
	Misses int64 `json:"misses"`
	// Number of different lines, each of which misses at its first access in any cache.
	ColdMisses int64 `json:"cold_misses"`
	// Share of accesses that hit, from 0 to 1.
	HitRate float64 `json:"hit_rate"`
}

// NewCache returns the result of a search for a plan with fewer misses.
func NewCache(g cache.Geometry, r *cache.Result) *Cache {
	return &Cache{SizeBytes: g.Size, LineBytes: g.Line, Ways: g.Ways, Before: newCacheCounts(r.Before), After: newCacheCounts(r.After)}
}

func newCacheCounts(n cache.Counts) CacheCounts {
	return CacheCounts{Accesses: n.Accesses, Misses: n.Misses, ColdMisses: n.Cold, HitRate: n.HitRate()}
}

func (c *Cache) text(b *strings.Builder, s Style) {
	s.line(b, "cache", fmt.Sprintf("%s, lines of %d B, %s to a set", s.bytes(c.SizeBytes), c.LineBytes, count(int(c.Ways), "way")))
	misses := fmt.Sprintf("%s of %s accesses to lines", units.Number(c.After.Misses), units.Number(c.After.Accesses))
	was := "; no plan with fewer misses found"
	if c.After.Misses < c.Before.Misses {
		was = fmt.Sprintf(", was %.1f %%", 100*c.Before.HitRate)
		misses += ", was " + units.Number(c.Before.Misses)
	}
	s.line(b, "hit rate", fmt.Sprintf("%.1f %%%s", 100*c.After.HitRate, was))
	s.line(b, "misses", misses+"; at first use "+units.Number(c.After.ColdMisses))
}
