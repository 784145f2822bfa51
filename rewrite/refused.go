package rewrite

import "github.com/tflarena/tflarena/rewrite/internal/patch"

// A RefusedError says why a valid file is not rewritten, in its field Reason, and in its
// field Force whether [Options.Force] overrides the refusal.
type RefusedError = patch.RefusedError
