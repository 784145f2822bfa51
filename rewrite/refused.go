package rewrite

import "github.com/tflarena/tflarena/rewrite/internal/patch"

// RefusedError is the Reason why a valid file is not rewritten; Force reports whether
// [Options.Force] overrides the refusal.
type RefusedError = patch.RefusedError
