//go:build !linux

package trace

func populate([]byte) (ok bool) { return false }
