// Package strip holds the strategies that place records along a skyline: strip packing, the
// best of several orders of it, and a search for a better one.
package strip
