// Package export writes plans of package stream as CSV for spreadsheets and as a table in C for
// microcontrollers.
package export
