// Package export writes plans of package stream in the forms that other programs read: CSV for
// spreadsheets, and a table in C for microcontrollers.
package export
