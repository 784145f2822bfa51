// Package sample has the models that tests of package rewrite and of its rooms share,
// written by none of them, and what compares two files without their code.
package sample
