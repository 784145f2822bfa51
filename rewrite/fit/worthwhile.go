package fit

// LittleWork is the maximum of extra MACs considered worthwhile for a smaller arena, as a
// fraction of the model's own.
const LittleWork = 0.05

// Worthwhile returns the recommended point: the smallest arena without in-place outputs, so
// that it is valid for all kernels, and with at most [LittleWork] extra MACs. ok is false if no
// such point needs less than the unmodified model.
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
