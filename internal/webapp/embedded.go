//go:build app

package webapp

import (
	"context"
	"embed"
)

// "tflarena serve -o internal/webapp/files" makes this folder.
//
//go:embed files
var embedded embed.FS

// Make returns the files of the application, which are embedded in the command. It never calls begun.
func Make(_ context.Context, _ func()) (Files, error) {
	entries, err := embedded.ReadDir("files")
	if err != nil {
		return nil, err
	}
	files := Files{}
	for _, e := range entries {
		if files[e.Name()], err = embedded.ReadFile("files/" + e.Name()); err != nil {
			return nil, err
		}
	}
	return files, nil
}
