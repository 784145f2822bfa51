package tflite

import (
	"fmt"

	"github.com/tflarena/tflarena/schema"
)

var (
	signatureSubgraph = fieldOf(tableSignatureDef, "subgraph_index")
	mapTensor         = fieldOf(tableTensorMap, "tensor_index")
)

func (d *decoder) signatures() error {
	n := d.root.SignatureDefsLength()
	if err := d.spend(n*objectCost, "signature_defs", int64(d.root.Table().Pos)); err != nil || n == 0 {
		return err
	}
	d.m.Signatures = make([]Signature, n)
	var s schema.SignatureDef
	for i := range d.m.Signatures {
		d.root.SignatureDefs(&s, i)
		if err := d.signature(i, &s); err != nil {
			return err
		}
	}
	return nil
}

func (d *decoder) signature(i int, s *schema.SignatureDef) (err error) {
	where := fmt.Sprintf("signature_defs[%d]", i)
	if int64(s.SubgraphIndex()) >= int64(len(d.m.Subgraphs)) {
		pos, _ := signatureSubgraph.at(s.Table())
		return outOfRange(where+".subgraph_index", pos, "subgraph", int64(s.SubgraphIndex()), len(d.m.Subgraphs))
	}
	out := &d.m.Signatures[i]
	out.Key, out.Subgraph = text(s.SignatureKey()), int(s.SubgraphIndex())
	if err = d.spend(len(out.Key)/4, where, int64(s.Table().Pos)); err != nil {
		return err
	}
	tensors := len(d.m.Subgraphs[out.Subgraph].Tensors)
	if out.Inputs, err = d.tensorMaps(where+".inputs", s.InputsLength(), s.Inputs, tensors); err != nil {
		return err
	}
	out.Outputs, err = d.tensorMaps(where+".outputs", s.OutputsLength(), s.Outputs, tensors)
	for _, t := range out.Outputs {
		d.m.Subgraphs[out.Subgraph].Tensors[t.Tensor].Returned = true
	}
	return err
}

// tensorMaps decodes a vector of n named tensors; get reads one of them.
func (d *decoder) tensorMaps(where string, n int, get func(*schema.TensorMap, int) bool, tensors int) ([]SignatureTensor, error) {
	var out []SignatureTensor
	var tm schema.TensorMap
	for i := range n {
		get(&tm, i)
		if err := d.spend(objectCost+len(tm.Name())/4, where, int64(tm.Table().Pos)); err != nil {
			return nil, err
		}
		if int64(tm.TensorIndex()) >= int64(tensors) {
			pos, _ := mapTensor.at(tm.Table())
			path := fmt.Sprintf("%s[%d].tensor_index", where, i)
			return nil, outOfRange(path, pos, "tensor", int64(tm.TensorIndex()), tensors)
		}
		out = append(out, SignatureTensor{Name: text(tm.Name()), Tensor: int(tm.TensorIndex())})
	}
	return out, nil
}
