package output

import "os"

// lock does nothing: an open file cannot be removed.
func lock(*os.File) error { return nil }

// removeAbandoned removes a temporary file, which fails while a run has it open.
func removeAbandoned(name string) { os.Remove(name) }

// release closes a file, since an open one cannot be renamed.
func release(f *os.File) error { return f.Close() }
