package kernels

import (
	"fmt"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// decode holds the requirements of TFLM_DECODE: pairs of encoded and ancillary data, both in
// the flatbuffer, and an output per pair.
var decodeLaws = laws(prepare(unpaired), prepare(eachDecoded(header)), prepare(eachDecoded(decodedScales)), eval(eachDecoded(decodedType)))

func unpaired(k *Kernel) string {
	if n, m := len(k.op.Inputs), len(k.op.Outputs); m == 0 || n != 2*m {
		return fmt.Sprintf("it has %d inputs and %d outputs, and needs two inputs for each output", n, m)
	}
	for i := range k.op.Inputs {
		switch t := k.input(i); {
		case t == nil:
			return fmt.Sprintf("its input %d is absent", i)
		case k.output(i/2) == nil:
			return fmt.Sprintf("its output %d is absent", i/2)
		case !k.isConstant(t):
			return fmt.Sprintf("its input %d is not a constant in the flatbuffer", i)
		}
	}
	return ""
}

// eachDecoded checks each output and the header of its ancillary data.
func eachDecoded(why func(a Ancillary, output *tflite.Tensor) string) func(*Kernel) string {
	return func(k *Kernel) string {
		if unpaired(k) != "" {
			return ""
		}
		for i := range k.op.Outputs {
			a, ok := AncillaryOf(k.model, k.input(2*i+1))
			if !ok {
				return fmt.Sprintf("its input %d has too few bytes for ancillary data", 2*i+1)
			}
			if text := why(a, k.output(i)); text != "" {
				return fmt.Sprintf("its output %d %s", i, text)
			}
		}
		return ""
	}
}

func header(a Ancillary, _ *tflite.Tensor) string {
	switch {
	case a.Version != AncillaryVersion:
		return fmt.Sprintf("has ancillary data of version %d, and the kernel takes version %d", a.Version, AncillaryVersion)
	case a.Decoding > Pruned:
		return fmt.Sprintf("has the reserved decoding %d", a.Decoding)
	case a.Format != AncillaryVersion:
		return fmt.Sprintf("has the version %d of its decoding, and the kernel takes version %d", a.Format, AncillaryVersion)
	}
	return ""
}

// decodedScales requires scales along the first or the last dimension, and zero points only for
// INT8.
func decodedScales(a Ancillary, output *tflite.Tensor) string {
	q := quantumOf(output)
	if a.Decoding == Huffman {
		if !a.Wide() && output.Type != i8 {
			return fmt.Sprintf("has the type %v, and Huffman codes of 16 bits make INT8", output.Type)
		}
		return ""
	}
	if q.scales == 0 {
		return ""
	}
	if last := len(output.Shape) - 1; q.along != 0 && (q.along != last || q.scales < 2) {
		return fmt.Sprintf("has scales along dimension %d, and the kernel takes the first or the last", q.along)
	}
	if a.Decoding == Pruned && output.Type != i8 && ZeroPointed(output) {
		return fmt.Sprintf("has the type %v and a zero point that is not 0", output.Type)
	}
	return ""
}

func decodedType(a Ancillary, output *tflite.Tensor) string {
	list := []schema.TensorType{boolean, f32, i8, i16, i32, i64}
	if a.Decoding == Huffman {
		list = []schema.TensorType{i8, i16}
	}
	if !slices.Contains(list, output.Type) {
		return fmt.Sprintf("has the type %v, and the decoding takes %v", output.Type, types(list))
	}
	return ""
}

// registeredDecoding returns the reason why only an application can decode an output, or "".
func (k *Kernel) registeredDecoding() string {
	for i := 1; i < len(k.op.Inputs); i += 2 {
		if a, ok := AncillaryOf(k.model, k.input(i)); ok && a.Decoding >= Registered {
			return fmt.Sprintf("uses the decoding %d, which an application has to register", a.Decoding)
		}
	}
	return ""
}

// decoding is a condition on an output of TFLM_DECODE with a decoding, and on its encoded data.
func decoding(kind Decoding, why func(a Ancillary, encoded []byte, output *tflite.Tensor) string) condition {
	return func(k *Kernel) string {
		if k.model.OperatorCodes[k.op.Code].Custom != Decode {
			return ""
		}
		for i := range k.op.Outputs {
			a, ok := AncillaryOf(k.model, k.input(2*i+1))
			if !ok || a.Decoding != kind {
				continue
			}
			if text := why(a, k.model.Buffer(k.input(2*i)).Data, k.output(i)); text != "" {
				return fmt.Sprintf("decodes its output %d from %s", i, text)
			}
		}
		return ""
	}
}

// shortTable holds for an index past the end of the encoded data, or a value past the end of the table.
func shortTable(a Ancillary, encoded []byte, output *tflite.Tensor) string {
	elements, width := Elements(output), int64(a.Flags&7)
	if width == 0 {
		return "indices of 0 bits"
	}
	if have := 8 * int64(len(encoded)) / width; have < elements {
		return fmt.Sprintf("%d indices, fewer than its %d elements", have, elements)
	}
	bytes := ElementBits(output.Type) / 8
	values, channels := int64(len(a.Tables))/max(bytes, 1), int64(max(quantumOf(output).scales, 1))
	last := quantumOf(output).along == len(output.Shape)-1 && channels > 1
	for i := range elements {
		channel := i / max(elements/channels, 1)
		if last {
			channel = i % channels
		}
		if at := channel*int64(a.Stride) + index(encoded, i*width, width); at >= values {
			return fmt.Sprintf("a look-up table of %d values, past which element %d reads (value %d)", values, i, at)
		}
	}
	return ""
}

// index returns the number in bits [at, at+width), the highest bit first.
func index(data []byte, at, width int64) (n int64) {
	for i := at; i < at+width; i++ {
		n = n<<1 | int64(data[i/8]>>(7-i%8)&1)
	}
	return n
}

// shortValues holds for fewer bits than elements, or fewer values than set bits.
func shortValues(a Ancillary, encoded []byte, output *tflite.Tensor) string {
	elements := Elements(output)
	if have := 8 * int64(len(encoded)); have < elements {
		return fmt.Sprintf("%d bits, fewer than its %d elements", have, elements)
	}
	set, values := int64(0), 8*int64(len(a.Tables))/max(ElementBits(output.Type), 1)
	for i := range elements {
		set += index(encoded, i, 1)
	}
	if set > values {
		return fmt.Sprintf("%d values, fewer than the %d that its bits select", values, set)
	}
	return ""
}
