//go:build !windows

package output

import (
	"path/filepath"

	"github.com/google/renameio/v2"
)

// replace keeps its temporary file beside path: where else would be found out with
// more temporary files, which a killed process leaves behind.
func replace(path string, data []byte) error {
	return renameio.WriteFile(path, data, 0o666, renameio.WithExistingPermissions(), renameio.WithTempDir(filepath.Dir(path)))
}
