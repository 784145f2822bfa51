package output

import (
	"context"
	"errors"
	"os"
	"time"
)

// folderPause is the time between attempts to lock a folder that another run has locked.
const folderPause = 20 * time.Millisecond

// LockFolder waits until no other run of the program has locked a folder, locks it, and returns a
// function that unlocks it. The lock ends with the process. If ctx ends first, that is an error; on
// systems without locks on folders, such as Windows and some file systems, it locks nothing.
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
