// Package sample provides models for the tests of package rewrite and the packages below it,
// and compares files without using their code.
package sample
