// Package sets holds the sets that strategies keep: ordered ones, and what is taken when.
package sets
