//go:build !linux

package populate

func populate([]byte) (ok bool) { return false }
