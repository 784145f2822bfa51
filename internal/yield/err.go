//go:build !js

package yield

import "context"

// Err returns ctx.Err().
func Err(ctx context.Context) error { return ctx.Err() }
