package kernels

import (
	"fmt"

	"github.com/tflarena/tflarena/tflite"
)

// Decode is the name of the custom operator that decodes tensors.
const Decode = "TFLM_DECODE"

// A Decoding is a storage format of TFLM_DECODE.
type Decoding byte

// The decodings of the runtime. Other values below Registered are reserved; an application
// registers the rest.
const (
	LookUpTable Decoding = 0
	Huffman     Decoding = 1
	Pruned      Decoding = 2
	Registered  Decoding = 128
)

// AncillaryVersion is the only version of an Ancillary's parts that the runtime supports.
const AncillaryVersion = 1

// An Ancillary is the 16-byte header of the ancillary data of encoded data.
type Ancillary struct {
	Decoding Decoding
	// Version is the version of the header, and Format of the rest.
	Version, Format byte
	// Flags depend on the decoding. The lowest bit for Huffman selects 32-bit codes instead of
	// 16-bit ones; the lowest three bits for a look-up table are the width of an index in bits.
	Flags byte
	// Stride is the number of elements between the tables of consecutive channels.
	Stride byte
	// Tables is the data after the header.
	Tables []byte
}

// AncillaryOf returns the header of a tensor, or false if the runtime sees none: it must be
// inside the flatbuffer.
func AncillaryOf(m *tflite.Model, t *tflite.Tensor) (a Ancillary, ok bool) {
	const header = 16
	if t == nil {
		return a, false
	}
	b := m.Buffer(t)
	if b.Outside || len(b.Data) < header {
		return a, false
	}
	return Ancillary{Decoding: Decoding(b.Data[0]), Version: b.Data[1], Format: b.Data[4], Flags: b.Data[5], Stride: b.Data[6], Tables: b.Data[header:]}, true
}

// Wide reports whether the tables of a Huffman decoding have 32 bits.
func (a Ancillary) Wide() bool { return a.Flags&1 != 0 }

// decode is the kernel of TFLM_DECODE: for each output, it keeps the state of the decoding.
var decode = &demand{prepare: []ask{keep(pointers(outputs)), decoded}, unknown: undecoded}

var outputs size = func(k *Kernel) int64 { return int64(len(k.op.Outputs)) }

func decoded(k *Kernel, a Asker) {
	for i := range k.op.Outputs {
		in(2*i, 2*i+1)(k, a)
		out(i)(k, a)
		output := k.output(i)
		ancillary, known := AncillaryOf(k.model, k.input(2*i+1))
		if !known || output == nil {
			return
		}
		scales := Scales(output)
		switch ancillary.Decoding {
		case LookUpTable:
			a.Reads(either(scales > 0, Axis, Dims))
			a.Keep(1, k.abi.pick(36, 72))
		case Huffman:
			a.Reads(either(ancillary.Wide(), Dims, Struct))
			a.Keep(1, k.abi.pick(28, 56))
		case Pruned:
			a.Reads(either(scales > 0, Zeros, Dims))
			a.Keep(1, k.abi.pick(40, 80))
			if scales > 1 && ZeroPointed(output) {
				a.Keep(1, scales)
			}
		}
	}
}

// undecoded names a decoding that the runtime lacks.
func undecoded(k *Kernel) string {
	for i := range k.op.Outputs {
		a, ok := AncillaryOf(k.model, k.input(2*i+1))
		switch {
		case !ok:
			return "has no ancillary data in the flatbuffer"
		case a.Decoding >= Registered:
			return fmt.Sprintf("uses the decoding %d, which an application has to register", a.Decoding)
		case a.Decoding > Pruned:
			return fmt.Sprintf("uses the reserved decoding %d", a.Decoding)
		case a.Version != AncillaryVersion || a.Format != AncillaryVersion:
			return fmt.Sprintf("has ancillary data of version %d.%d", a.Version, a.Format)
		}
	}
	return ""
}

func either(holds bool, a, b Part) Part {
	if holds {
		return a
	}
	return b
}

// ZeroPointed reports whether a tensor has a non-zero zero point.
func ZeroPointed(t *tflite.Tensor) bool {
	table := t.Table()
	q := table.Quantization(nil)
	for i := range q.ZeroPointLength() {
		// The runtime keeps zero points in 32 bits.
		if int32(q.ZeroPoint(i)) != 0 {
			return true
		}
	}
	return false
}
