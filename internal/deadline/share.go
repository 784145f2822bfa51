package deadline

import (
	"context"
	"time"
)

// Share returns a context that ends after one of parts equal shares of the time until ctx's deadline,
// or with ctx if it has none.
func Share(ctx context.Context, parts int) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok || parts < 2 {
		return ctx, func() {}
	}
	return context.WithDeadline(ctx, end.Add(-time.Until(end)*time.Duration(parts-1)/time.Duration(parts)))
}

// Spare returns a context that ends one of parts equal shares of the time before ctx's deadline, or with
// ctx if it has none.
func Spare(ctx context.Context, parts int) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok {
		return ctx, func() {}
	}
	return context.WithDeadline(ctx, end.Add(-time.Until(end)/time.Duration(parts)))
}
