// Package trace reads what was observed of a program's memory: the memory snapshots of PyTorch,
// and traces of our own as JSON lines or CSV.
//
// A snapshot is what torch.cuda.memory._snapshot() returns, written by pickle: a dict with
// "segments" and "device_traces". Nothing in it is run (see package pickle). JSON lines have an
// object on each line, CSV has a header row; both have the fields event, id, size, device,
// stream, pool, time_us and function, of which event is always needed, and the others where
// they mean something.
package trace
