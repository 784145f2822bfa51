package main

import (
	"fmt"
	"os"

	"github.com/tflarena/tflarena/internal/output"
)

// sayLinks lists models that will be written through a symbolic link, and files whose other names keep
// the old contents.
func (in *invocation) sayLinks() error {
	for _, s := range in.specs {
		if !holdsModel(s) || s.Path == output.Stdout || output.IsStream(s.Path) {
			continue
		}
		if n := output.OtherNames(s.Path); n > 0 {
			in.p.say(s.Path, "note", fmt.Sprintf("other names of the file (hard links: %d) keep the old contents", n))
		}
		if !isLink(s.Path) {
			continue
		}
		behind, err := output.Target(s.Path)
		if err != nil {
			return plainError(err)
		}
		in.p.say(s.Path, "note", fmt.Sprintf("this is a symbolic link; the file that it leads to, %s, is replaced", behind))
	}
	return nil
}

func isLink(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode()&os.ModeSymlink != 0
}
