package texture

import "fmt"

// TexelBytes is the size of a texel of [Of] in bytes: four channels of 32-bit floats.
const TexelBytes = 16

// Of returns the width and the height of the texture in which the GPU delegate of LiteRT keeps a tensor,
// in texels of four channels. A tensor of one to four dimensions is a batch; a batch of channels; a batch of
// rows; or a batch of pictures (BHWC). Slices of four channels lie below each other, and pictures of a batch
// side by side. The error wraps [ErrShape].
func Of(tensor []int32) (Shape, error) {
	var b, h, w, c int64 = 1, 1, 1, 1
	at := func(i int) int64 { return int64(tensor[i]) }
	switch len(tensor) {
	case 1:
		b = at(0)
	case 2:
		b, c = at(0), at(1)
	case 3:
		b, w, c = at(0), at(1), at(2)
	case 4:
		b, h, w, c = at(0), at(1), at(2), at(3)
	default:
		return nil, fmt.Errorf("%w: %d dimensions, and textures are for 1 to 4", ErrShape, len(tensor))
	}
	if min(b, h, w, c) < 1 {
		return nil, fmt.Errorf("%w: a dimension below 1 in %v", ErrShape, tensor)
	}
	return Shape{w * b, h * ((c + 3) / 4)}, nil
}
