package results

import (
	"testing"

	"github.com/tflarena/tflarena/lifetime/rules"
)

// An estimate without a gain is omitted, compared with the plan in the file and with the best one.
func TestInPieces(t *testing.T) {
	for arena, kept := range map[int64]bool{899: true, 900: false, 999: false, 1001: false} {
		a := &Analysis{Figures: rules.Figures{Used: 1000}, WithPlan: &rules.Figures{Used: 900}}
		if a.InPieces(&Outlook{Used: arena}); (a.Pieces != nil) != kept {
			t.Errorf("%d bytes: %v", arena, a.Pieces)
		}
	}
}
