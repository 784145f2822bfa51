// Package transform rewrites operators of a model by rules, each of which replaces operators by others
// that compute the same: to save memory or work, or because a kernel library refuses, crashes on or
// miscomputes the original.
//
// [Rules] is the table of all rules. [Substitute] applies those that save memory or work where they do,
// and [Repair] those that avoid a fault. What was applied is recorded in the file ([Record]).
package transform
