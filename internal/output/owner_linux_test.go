package output

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
)

// as runs a test with the rights of another user to files.
func as(t *testing.T, user int, test func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("left out: only root can act as another user")
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // and never unlocked: the thread ends with its rights
		if err := syscall.Setfsuid(user); err != nil {
			t.Error(err)
			return
		}
		test()
	}()
	<-done
}

func ownedBy(t *testing.T, path string, user, group int, perm fs.FileMode) {
	t.Helper()
	if err := errors.Join(os.Chown(path, user, group), os.Chmod(path, perm)); err != nil {
		t.Fatal(err)
	}
}

func wantOwner(t *testing.T, path string, user, group uint32, perm fs.FileMode) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if st := info.Sys().(*syscall.Stat_t); st.Uid != user || st.Gid != group || info.Mode() != perm {
		t.Errorf("owner %d:%d, mode %v, want %d:%d, %v", st.Uid, st.Gid, info.Mode(), user, group, perm)
	}
}

const someone, another, group = 65534, 65533, 65532

// The owner and the group of a file stay where this user may set them. Where the group does
// not, the new one may do no more than everybody.
func TestOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("left out: only root can give files away")
	}
	eachWay(t, func(t *testing.T) {
		dir := t.TempDir()
		path := filepath.Join(dir, "a")
		write(t, path, "old")
		ownedBy(t, path, someone, group, 0o640)
		if err := WriteFile(t.Context(), path, []byte("new")); err != nil {
			t.Fatal(err)
		}
		wantOwner(t, path, someone, group, 0o640)
		ownedBy(t, path, another, group, 0o676)
		ownedBy(t, dir, someone, group, 0o777)
		ownedBy(t, filepath.Dir(dir), someone, group, 0o755)
		as(t, someone, func() {
			if err := WriteFile(t.Context(), path, []byte("newer")); err != nil {
				t.Error(err)
			}
		})
		wantOwner(t, path, someone, uint32(os.Getgid()), 0o666)
		wantContents(t, dir, map[string]string{"a": "newer"})
	})
}

// A write-protected file, or one in a write-protected folder, stays, whoever owns the folder.
func TestWriteProtected(t *testing.T) {
	eachWay(t, func(t *testing.T) {
		dir := t.TempDir()
		path, locked := filepath.Join(dir, "a"), filepath.Join(dir, "locked")
		write(t, path, "old")
		if err := os.Mkdir(locked, 0o500); err != nil {
			t.Fatal(err)
		}
		ownedBy(t, path, someone, group, 0o444)
		ownedBy(t, dir, someone, group, 0o700)
		ownedBy(t, filepath.Dir(dir), someone, group, 0o755)
		as(t, someone, func() {
			for _, path := range []string{path, filepath.Join(locked, "new")} {
				const want = ": permission denied; allow this user to write the file and to make files beside it, or choose another path"
				if err := WriteFile(t.Context(), path, []byte("new")); err == nil || err.Error() != path+want {
					t.Errorf("%v", err)
				}
			}
		})
		wantContents(t, dir, map[string]string{"a": "old", "locked": ""})
		wantContents(t, locked, map[string]string{})
	})
}
