package rewrite

import "github.com/tflarena/tflarena/rewrite/internal/patch"

// A RefusedError says in its field Reason why a valid file is not rewritten, and in its
// field Force whether [Options.Force] overrides the refusal.
type RefusedError = patch.RefusedError
