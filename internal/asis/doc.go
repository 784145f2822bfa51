// Package asis says how a model is before anything is done to it: what becomes of the memory
// plan that it carries, and what LiteRT gets wrong with it.
package asis
