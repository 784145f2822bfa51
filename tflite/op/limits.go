package op

import (
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
)

// The limits of output shapes that depend on data.

// onData marks a number that depends on data.
const onData = math.MinInt64

// whereLimits is WHERE: the positions of up to all elements, with a number per dimension.
func whereLimits(s extremes) (least, most [][]int64) {
	in := s.most.shape(0)
	rank := int64(len(in))
	return [][]int64{{0, rank}}, [][]int64{{product(in), rank}}
}

// uniqueLimits is UNIQUE: the different elements, and the index of one of these for each element.
func uniqueLimits(s extremes) (least, most [][]int64) {
	low, high := s.least.shapeOf(0, 1), s.most.shapeOf(0, 1)
	return [][]int64{{min(low[0], 1)}, low}, [][]int64{high, high}
}

// segmentLimits is SEGMENT_SUM: constant segments, of which the last one has the largest number.
func segmentLimits(s extremes) (least, most [][]int64) {
	low, high := s.least.ranked(0, 1), s.most.ranked(0, 1)
	ids, ok := Ints(s.most.model, s.most.input(1))
	if !ok || len(ids) == 0 {
		s.most.lack("the number of segments is computed from data")
	}
	count := s.most.smallNumber(ids[len(ids)-1]) + 1
	return [][]int64{with(low, 0, count)}, [][]int64{with(high, 0, count)}
}

// sparseLimits is EMBEDDING_LOOKUP_SPARSE, whose input 2 has the shape of its lookups.
func sparseLimits(s extremes) (least, most [][]int64) {
	s.most.lack("its rows are as many as the numbers in input 2 say")
	return nil, nil
}

// reshapeLimits is RESHAPE: the output has the elements of the input, which limit the dimensions that depend on data and
// that the exact ones leave.
func reshapeLimits(s extremes) (least, most [][]int64) {
	var asked []int64
	if s.exact(1) {
		asked = s.most.reshapedTo()
	} else {
		asked = s.exactly(1)
	}
	few, many := product(s.least.shape(0)), product(s.most.shape(0))
	rest, open := int64(1), 0
	for _, d := range asked {
		if d >= 0 {
			rest *= s.most.smallNumber(d)
		} else {
			open++
		}
		if rest > math.MaxInt32 {
			s.most.fail("it makes %v", asked)
		}
	}
	low, high := make([]int64, len(asked)), make([]int64, len(asked))
	for i, d := range asked {
		switch {
		case d >= 0:
			low[i], high[i] = d, d
		case open == 1 && rest > 0:
			low[i], high[i] = few/rest, many/rest
		default:
			high[i] = many / max(rest, 1)
		}
	}
	return [][]int64{low}, [][]int64{high}
}

// sliceLimits is SLICE: an exact size, or at most the input's.
func sliceLimits(s extremes) (least, most [][]int64) {
	high, count := s.most.shape(0), s.exactly(2)
	if len(count) != len(high) {
		s.most.fail("it takes %d numbers for %d dimensions", len(count), len(high))
	}
	low := make([]int64, len(high))
	for i, d := range count {
		if d >= 0 {
			low[i], high[i] = d, d
		}
	}
	return [][]int64{low}, [][]int64{high}
}

// stridedLimits is STRIDED_SLICE: bounds that depend on data, or that turn, are replaced by the widest.
func stridedLimits(s extremes) (least, most [][]int64) {
	if !s.exact(3) {
		s.most.lack("its strides are computed from data")
	}
	spec := stridedSpec{begin: s.exactly(1), end: s.exactly(2), step: s.most.ints(3)}
	s.most.options(schema.BuiltinOptionsStridedSliceOptions, &spec.o)
	spec.check(s.most)
	for i := range spec.begin {
		if spec.begin[i] != onData && spec.end[i] != onData && !spec.turns(i) {
			continue
		}
		if spec.begin[i], spec.end[i] = 0, math.MaxInt32; spec.step[i] < 0 {
			spec.begin[i], spec.end[i] = math.MaxInt32, math.MinInt32
		}
	}
	few, many, at := s.least.shape(0), s.most.shape(0), 0
	var low, high []int64
	for _, x := range s.most.stridesOf(spec, many) {
		if !x.shrinkAxis {
			fixed := x.newAxis || at < len(many) && few[at] == many[at] && !slices.Contains(s.exactly(1), onData) && !slices.Contains(s.exactly(2), onData)
			low, high = append(low, 0), append(high, x.count)
			if fixed {
				low[len(low)-1] = x.count
			}
		}
		if !x.newAxis {
			at++
		}
	}
	return [][]int64{low}, [][]int64{high}
}

// topKLimits is TOPK_V2: not more than the elements of the last dimension.
func topKLimits(s extremes) (least, most [][]int64) {
	low, high := s.least.ranked(0, 1), s.most.ranked(0, 1)
	last := len(high) - 1
	from, to := int64(0), high[last]
	if k := s.exactly(1); len(k) == 1 && k[0] >= 0 {
		from, to = k[0], k[0]
	} else if k, ok := s.most.known[s.most.input(1).Index]; ok && len(k) == 1 && k[0] >= 0 {
		to = min(to, k[0])
	}
	l, h := with(low, last, from), with(high, last, to)
	return [][]int64{l, l}, [][]int64{h, h}
}

// splitLimits is SPLIT_V: parts of the input.
func splitLimits(s extremes) (least, most [][]int64) {
	low, high := s.least.shape(0), s.most.shape(0)
	axis := s.most.axis(s.most.number(2), len(high))
	return repeated(with(low, axis, 0), len(s.most.op.Outputs)), repeated(high, len(s.most.op.Outputs))
}

// The operators whose outputs may be larger for smaller inputs.

// stridedTurns is STRIDED_SLICE with bounds that count from both ends of a dimension.
func stridedTurns(s extremes) bool {
	spec := s.most.stridedSpec()
	for i := range spec.begin {
		if spec.turns(i) {
			return true
		}
	}
	return false
}

// countsDown is RANGE with a negative step.
func countsDown(s extremes) bool { return s.most.number(2) < 0 }

// lateKernel is a convolution or a matrix product whose weights have a late shape.
func lateKernel(s extremes) bool { return !slices.Equal(s.least.shape(1), s.most.shape(1)) }

// lateDepth is GATHER_ND with a late number of indexes per element.
func lateDepth(s extremes) bool {
	low, high := s.least.ranked(1, 1), s.most.ranked(1, 1)
	return low[len(low)-1] != high[len(high)-1]
}

// lateSqueeze is SQUEEZE of all dimensions of 1 that a late shape has.
func lateSqueeze(s extremes) bool {
	var o schema.SqueezeOptions
	return (!s.most.op.Options(schema.BuiltinOptionsSqueezeOptions, &o) || o.SqueezeDimsLength() == 0) && !slices.Equal(s.least.shape(0), s.most.shape(0))
}

// detectionLimits is TFLite_Detection_PostProcess: boxes, classes and scores of a fixed number of
// detections, and how many of these there are. LiteRT's kernel sets these shapes before a run, whatever
// the file has; most files have none.
func detectionLimits(s extremes) (least, most [][]int64) {
	detections, ok := s.most.op.CustomOption("max_detections")
	each, has := s.most.op.CustomOption("max_classes_per_detection")
	if !ok || !has {
		s.most.lack("it has no options max_detections and max_classes_per_detection")
	}
	count := s.most.smallNumber(detections) * s.most.smallNumber(each)
	shapes := [][]int64{{1, count, 4}, {1, count}, {1, count}, {1}}
	return shapes, shapes
}
