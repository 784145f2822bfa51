// Package network describes the networks that package stream plans, the places of their tensors, and
// the times of their layers. Planner, checker and file formats share these types.
package network
