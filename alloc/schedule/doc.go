// Package schedule plans memory where more than offsets is open: which outputs take
// over an input's memory, and in which order operators run.
package schedule
