// Package strip has the strategies that place records along a skyline: strip packing, the
// best of several orders for it, and a search for a better order.
package strip
