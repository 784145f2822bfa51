package transform

import (
	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime/rules"
	"github.com/tflarena/tflarena/rewrite"
	"github.com/tflarena/tflarena/rewrite/provenance"
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// Purpose is the reason to apply a rule.
type Purpose string

// The purposes.
const (
	// Memory makes the required arena smaller.
	Memory Purpose = "memory"
	// Work omits operators that compute nothing.
	Work Purpose = "work"
	// Tiling separates operators, so that others can be tiled one by one.
	Tiling Purpose = "tiling"
	// Repairs avoids a fault of the target's kernels.
	Repairs Purpose = "repair"
)

// Rule replaces operators by others that compute the same.
type Rule struct {
	// Name identifies the rule in files and on the command line: lower-case words with hyphens.
	Name string
	// Purpose is the reason to apply the rule.
	Purpose Purpose
	// Operators are those that the rule replaces, none for a rule about the file.
	Operators []schema.BuiltinOperator
	// Condition says, beside the operator's name, when the rule applies. Result says what the operator
	// becomes, and Reason why the outputs are the same.
	Condition, Result, Reason string
	// Exact is where the outputs are bit-identical to those of the original.
	Exact provenance.Exact

	// match returns the change of an operator, or nil if the rule does not apply. file changes the file instead.
	match func(s *site) *change
	file  func(m *tflite.Model, o rewrite.Options) (*rewrite.Result, error)
}

// Where rules are exact: in all runtimes, as one that moves bytes is; in all but LiteRT's default kernels, which may add in
// another order; and in TensorFlow Lite Micro alone.
var (
	everywhere  = provenance.Exact{Kernels: provenance.Families, LiteRT: true, Reference: true}
	unoptimised = provenance.Exact{Kernels: provenance.Families, Reference: true}
	microAlone  = provenance.Exact{Kernels: provenance.Families}
)

// exactOn reports whether the outputs of a rule are exact on a device.
func (r *Rule) exactOn(d rules.Device) bool {
	family, _, _ := d.Library()
	return r.Exact.With(family)
}

// table holds all rules, in the order in which they are tried.
var table []*Rule

// Rules returns all rules, in the order in which they are tried.
func Rules() []*Rule {
	return slices.Clone(table)
}

// Lookup returns the rule of a name, or nil.
func Lookup(name string) *Rule {
	for _, r := range table {
		if r.Name == name {
			return r
		}
	}
	return nil
}

func init() {
	table = []*Rule{
		&inlineWeights, &fillOperatorCodes,
		&padNothing, &resizeToSame, &sliceWhole, &reshapeToSame, &reshapeAgain, &transposeNothing, &flattenForFullyConnected,
		&padToSame, &reshapeAfterFullyConnected, &reshapeBeforeConcatenation, &convToFullyConnected, &fullyConnectedToConv, &fullyConnectedRank4, &fullyConnectedRank2,
		&depthwiseToConv, &convToDepthwise, &meanToAveragePool, &averagePoolToMean, &perChannelToPerTensor,
		&int32Parameters, &plainSlice, &mergeTranspose, &mergePad, &padTwice, &mergeBroadcast, &mergeBroadcastTo,
		&mergeBatchMatmul, &mergeMean, &rowsOfMatrix, &softmaxOfOne, &zeroBias, &int64Bias, &int8Weights, &separateGroups, &separateLayers,
		&rowAsColumn, &fullyConnectedRows, &int16FullyConnectedToConv, &separateActivation, &wholeTransposeConv, &reluBeforeRELU6, &compareInt32,
		&int16AsFloat32, &dequantizeChannels, &float32Constants, &padSpaceToBatch,
	}
}

// of returns the rules about operators of the purposes.
func of(purposes ...Purpose) (list []*Rule) {
	for _, r := range table {
		if r.match != nil && slices.Contains(purposes, r.Purpose) {
			list = append(list, r)
		}
	}
	return list
}
