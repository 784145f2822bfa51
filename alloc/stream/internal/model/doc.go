// Package model has the types of package stream and what follows from them alone, so that all
// rooms of it, the checker too, speak of the same things.
package model
