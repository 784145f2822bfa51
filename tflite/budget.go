package tflite

// A budget bounds the work and the memory that a file can cause. FlatBuffers lets
// any number of references share a table or a vector, and vectors overlap, so a
// small file can describe a tree of any size. Whatever a writer lays out without
// sharing takes at least four bytes a reference and a number; a budget of one unit
// a byte leaves a factor of four to honest sharing, and the slack to tiny files.
type budget struct{ left int64 }

const budgetSlack = 1 << 16

func newBudget(size int64) budget { return budget{size + budgetSlack} }

// spend takes n units and says whether they were there.
func (b *budget) spend(n int64) bool {
	b.left -= n
	return b.left >= 0
}
