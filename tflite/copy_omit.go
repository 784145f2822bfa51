package tflite

import flatbuffers "github.com/google/flatbuffers/go"

var (
	tensorName         = fieldOf(tableTensor, "name")
	tensorQuantization = fieldOf(tableTensor, "quantization")
	quantizationMin    = fieldOf(tableQuantizationParameters, "min")
	quantizationMax    = fieldOf(tableQuantizationParameters, "max")
)

// omits reports whether the copy of a table lacks a field that refers to contents.
func (c *Copier) omits(t flatbuffers.Table, f fieldRef) bool {
	switch f {
	case tensorName:
		return c.OmitNames
	case quantizationMin, quantizationMax:
		return c.OmitRanges
	case tensorQuantization:
		return c.OmitRanges && onlyRanges(referredBy(t, f))
	}
	return false
}

// onlyRanges reports whether a quantisation has nothing but recorded ranges, which no runtime
// reads.
func onlyRanges(t flatbuffers.Table) bool {
	for i := range layouts[tableQuantizationParameters].fields {
		f := fieldRef{tableQuantizationParameters, i}
		if _, present := f.at(t); present && f != quantizationMin && f != quantizationMax {
			return false
		}
	}
	return true
}

// referredBy returns the table that a present field refers to.
func referredBy(t flatbuffers.Table, f fieldRef) flatbuffers.Table {
	at, _ := f.at(t)
	return referred(t, at)
}
