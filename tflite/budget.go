package tflite

// A budget bounds the work and the memory that a file can cause. FlatBuffers lets any number of
// references share a table or a vector, and vectors overlap, so a small file can describe a
// tree of any size. Without sharing, a writer needs at least four bytes per reference and
// number; a budget of one unit per byte allows four times that for legitimate sharing, and
// slack covers tiny files.
type budget struct{ remaining int64 }

const budgetSlack = 1 << 16

func newBudget(size int64) budget { return budget{size + budgetSlack} }

// spend takes n units and reports whether the budget had them.
func (b *budget) spend(n int64) bool {
	b.remaining -= n
	return b.remaining >= 0
}
