// Package trace reads the files of memory traces: PyTorch's memory snapshots, and traces as JSON lines
// or CSV. It also writes traces as CSV.
//
// A snapshot is the pickled result of torch.cuda.memory._snapshot(), a dict with "segments" and
// "device_traces". Reading it executes nothing; see package pickle. JSON lines have an object on each
// line, and CSV has a header row. Both have the fields event, id, size, device, stream, pool, time_us
// and function. Only event is always required.
package trace
