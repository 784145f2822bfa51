// Package flexnn reads and writes the files of FlexNN: the two profiles that its planner reads, and the
// three files of a plan that its runtime reads.
//
// The formats are as in the published program of Li et al. 2024. A memory profile has the columns
// layer_index, memory_type (0 weight, 1 activation, 2 intermediate), event_type (1 malloc, 0 free),
// ptr, size in bytes and time; the k-th malloc of a type is its tensor k. A time profile has one row
// for each layer, with the columns layer_index, loading_duration and computing_duration in milliseconds
// among others. Lines that begin with # are comments.
//
// A plan is three files. The malloc file has the offset of each tensor in bytes, by type, in the order
// of the mallocs, and the offsets of resident weights once more. The dependency file has one number D
// for each layer: when layer i has computed, the loads of layers D[i-1] to D[i]-1 may begin. The layout
// has one line for each tensor: the first and the last step in which it holds memory, its offset, its
// size, the step in which it is needed first, its type.
package flexnn
