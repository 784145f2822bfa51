//go:build !js

package deadline

import "context"

// Err returns ctx.Err().
func Err(ctx context.Context) error { return ctx.Err() }
