// Package rules sees a model as one runtime does: which tensors it plans, how
// large, how aligned and how long alive.
//
// A rule set is a value of type [Rules] with named switches. To add a runtime,
// write one more value in table.go and give it its switches.
package rules
