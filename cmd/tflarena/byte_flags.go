package main

import (
	"github.com/urfave/cli/v2"

	"github.com/tflarena/tflarena/internal/units"
)

// sizeOf reads a flag in bytes with a minimum.
func sizeOf(c *cli.Context, flag string, least int64) (int64, error) {
	n, err := units.Parse(c.String(flag))
	switch {
	case err != nil:
		return 0, usagef("--%s: %v", flag, err)
	case n < least:
		return 0, usagef("--%s %s: use a size of at least %s, such as 65536 or 64KiB", flag, c.String(flag), units.Bytes(least))
	}
	return n, nil
}
