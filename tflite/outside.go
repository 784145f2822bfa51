package tflite

// An OutsideConstant is a constant with data outside the flatbuffer. LiteRT reads it;
// TensorFlow Lite Micro does not, and treats the tensor as an activation.
type OutsideConstant struct {
	Subgraph, Tensor int
	// Bytes is the size of the data, in bytes.
	Bytes int64
	// OtherFile is true if the data is in another file (Tensor.external_buffer), and false if
	// it is stored after the flatbuffer, at an absolute offset (Buffer.offset).
	OtherFile bool
	// Read reports whether an operator or an output of the subgraph reads the tensor.
	Read bool
}

// OutsideConstants returns the constants outside the flatbuffer, in file order. Tensors that
// share data have one entry each.
func (m *Model) OutsideConstants() []OutsideConstant {
	var list []OutsideConstant
	for s := range m.Subgraphs {
		for i := range m.Subgraphs[s].Tensors {
			t := &m.Subgraphs[s].Tensors[i]
			if !m.IsOutside(t) {
				continue
			}
			c := OutsideConstant{Subgraph: s, Tensor: i, Read: len(t.Consumers) > 0 || t.Output}
			c.Bytes, c.OtherFile = int64(len(m.Buffer(t).Data)), !m.Buffer(t).Outside
			if c.OtherFile {
				c.Bytes, _ = t.PackedBytes()
			}
			list = append(list, c)
		}
	}
	return list
}

// IsOutside reports whether a tensor is a constant with data only outside the flatbuffer.
func (m *Model) IsOutside(t *Tensor) bool {
	b := m.Buffer(t)
	return b.Outside || t.ExternalBuffer != 0 && len(b.Data) == 0
}
