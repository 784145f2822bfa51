package tflite

import (
	"fmt"

	"github.com/tflarena/tflarena/schema"

	flatbuffers "github.com/google/flatbuffers/go"
)

var (
	tensorShape     = fieldOf(tableTensor, "shape")
	tensorSignature = fieldOf(tableTensor, "shape_signature")
	tensorType      = fieldOf(tableTensor, "type")
	tensorBuffer    = fieldOf(tableTensor, "buffer")
	tensorExternal  = fieldOf(tableTensor, "external_buffer")
	tensorVariable  = fieldOf(tableTensor, "is_variable")
	tensorSparsity  = fieldOf(tableTensor, "sparsity")
)

func (d *decoder) tensors(out *Subgraph, s *schema.SubGraph) error {
	out.Tensors = make([]Tensor, s.TensorsLength())
	var t schema.Tensor
	for i := range out.Tensors {
		s.Tensors(&t, i)
		where := place{subgraph: out.Index, kind: "tensors", index: i}
		if err := d.tensor(&out.Tensors[i], where, &t); err != nil {
			return err
		}
		if err := d.quantization(where, &t, len(out.Tensors)); err != nil {
			return err
		}
	}
	return nil
}

func (d *decoder) tensor(out *Tensor, where place, t *schema.Tensor) (err error) {
	*out = Tensor{
		Index: where.index, Name: text(t.Name()), Type: t.Type(), HasRank: t.HasRank(),
		Buffer: int(t.Buffer()), Variable: t.IsVariable(), ExternalBuffer: t.ExternalBuffer(), Producer: -1,
		table: *t,
	}
	_, out.Sparse = tensorSparsity.at(t.Table())
	if !d.budget.spend(int64(len(out.Name)) / 4) {
		return d.spend(0, where.String(), int64(t.Table().Pos))
	}
	if out.Shape, err = d.shape(where, tensorShape, t.Table()); err != nil {
		return err
	}
	if out.Signature, err = d.shape(where, tensorSignature, t.Table()); err != nil {
		return err
	}
	// Buffer 0 means no data, even in a model without any buffers.
	if t.Buffer() != 0 && int64(t.Buffer()) >= int64(len(d.m.Buffers)) {
		pos, _ := tensorBuffer.at(t.Table())
		return outOfRange(where.field(tensorBuffer), pos, "buffer", int64(t.Buffer()), len(d.m.Buffers))
	}
	out.Constant = d.m.Buffer(out).Data != nil || out.ExternalBuffer != 0
	d.unusual(out, where, t.Table())
	return d.checkConstant(out, where, t.Table())
}

// shape decodes dimensions: -1 is unknown, and any lower value is an error.
func (d *decoder) shape(where place, f fieldRef, t flatbuffers.Table) ([]int32, error) {
	pos, n, present := f.vector(t)
	if !d.budget.spend(int64(n)) {
		return nil, d.spend(0, where.field(f), pos)
	}
	if present && n == 0 {
		return []int32{}, nil
	}
	dims := d.dims.take(n)
	for i := range dims {
		at := pos + 4*int64(i)
		if dims[i] = int32At(t.Bytes, at); dims[i] < -1 {
			path := fmt.Sprintf("%s[%d]", where.field(f), i)
			return nil, &Error{Path: path, Offset: at, Problem: fmt.Sprintf("dimension %d is negative", dims[i])}
		}
	}
	return dims, nil
}

// unusual warns of properties that can trip a runtime.
func (d *decoder) unusual(t *Tensor, where place, table flatbuffers.Table) {
	embedded := d.m.Buffer(t).Data != nil
	warn := func(f fieldRef, text string, args ...any) {
		if d.warn.hasRoom() {
			pos, _ := f.at(table)
			d.warn.add(where.field(f), pos, text, args...)
		}
	}
	if _, known := schema.EnumNamesTensorType[t.Type]; !known {
		warn(tensorType, "type %d is newer than this reader, its size is not known", t.Type)
	}
	if t.Variable && embedded {
		warn(tensorVariable, "variable tensor has constant data, which LiteRT refuses")
	}
	if t.ExternalBuffer != 0 && embedded {
		warn(tensorExternal, "tensor has both embedded and external data, which LiteRT refuses")
	}
	if t.ExternalBuffer != 0 && !d.external[t.ExternalBuffer] {
		warn(tensorExternal, "no external buffer has the identifier %d", t.ExternalBuffer)
	}
	if len(t.Signature) > 0 && len(t.Signature) != len(t.Shape) {
		warn(tensorSignature, "%d dimensions, but the shape has %d", len(t.Signature), len(t.Shape))
	}
}

// quantization checks the tensors referenced by block-wise and multi-axis quantisation.
func (d *decoder) quantization(where place, t *schema.Tensor, count int) error {
	var q schema.QuantizationParameters
	var details flatbuffers.Table
	if t.Quantization(&q) == nil || !q.Details(&details) {
		return nil
	}
	var fields [2]fieldRef
	switch q.DetailsType() {
	case schema.QuantizationDetailsBlockwiseQuantization:
		fields = blockwiseTensors
	case schema.QuantizationDetailsMultiAxisQuantization:
		fields = multiAxisTensors
	default:
		return nil
	}
	for _, f := range fields {
		if index := f.int32(details); index < -1 || int(index) >= count {
			pos, _ := f.at(details)
			return outOfRange(where.String()+".quantization.details."+f.name(), pos, "tensor", int64(index), count)
		}
	}
	return nil
}

var (
	blockwiseTensors = [2]fieldRef{
		fieldOf(tableBlockwiseQuantization, "scales"), fieldOf(tableBlockwiseQuantization, "zero_points"),
	}
	multiAxisTensors = [2]fieldRef{
		fieldOf(tableMultiAxisQuantization, "scales"), fieldOf(tableMultiAxisQuantization, "zero_points"),
	}
)
