// Package sample has the models that the tests of package rewrite and of the packages below
// it share, and compares two files without using their code.
package sample
