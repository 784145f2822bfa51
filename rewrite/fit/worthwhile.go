package fit

// LittleWork is the most extra work that looks worth a smaller arena, as a part of the model's own
// multiply-accumulates.
const LittleWork = 0.05

// Worthwhile returns the point that looks worth it: that of the least arena which no takeovers
// are needed for, so that it is right with any kernels, and at most [LittleWork] more. ok is false
// where there is none that needs less than the model as it is.
func (s *Survey) Worthwhile() (best Point, ok bool) {
	if len(s.Levels) == 0 {
		return best, false
	}
	least := s.Own.Required
	for _, p := range s.Levels[0].Points {
		if p.Required < least && float64(p.ExtraMACs) <= LittleWork*float64(s.OwnMACs) {
			best, least, ok = p, p.Required, true
		}
	}
	return best, ok
}
