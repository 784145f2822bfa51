package output

import (
	"context"
	"errors"
	"os"
	"time"
)

// folderPause is how long another run's lock on a folder is waited for until it is tried again.
const folderPause = 20 * time.Millisecond

// LockFolder waits until no other run of the program has locked a folder, locks it, and returns what unlocks it.
// The lock ends with the process. It is an error that ctx ends before; where folders cannot be locked, as on
// Windows and on some file systems, there is none.
func LockFolder(ctx context.Context, dir string) (unlock func(), err error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	for errors.Is(lock(f), errBusy) {
		if err := ctx.Err(); err != nil {
			f.Close()
			return nil, err
		}
		select {
		case <-ctx.Done():
		case <-time.After(folderPause):
		}
	}
	return func() { f.Close() }, nil
}
