package tflite

import (
	"bytes"
	"encoding/binary"
)

const (
	zipLocalHeader = "PK\x03\x04"
	zipDirectory   = "PK\x01\x02"
	zipEnd         = "PK\x05\x06"
	// zipEndSize is the size of the end record without its comment, which has at most 65,535
	// bytes.
	zipEndSize    = 22
	zipMaxComment = 1<<16 - 1
)

// zipSize returns the size in bytes of the zip archive that data starts with. Metadata writers
// append such archives: the end record is near the end of data, directly after the directory;
// an empty archive is an end record alone. Offsets inside it may be relative to the archive or
// the file, so they are ignored.
func zipSize(data []byte) (size int64, ok bool) {
	if !bytes.HasPrefix(data, []byte(zipLocalHeader)) && !bytes.HasPrefix(data, []byte(zipEnd)) {
		return 0, false
	}
	from := max(0, len(data)-zipEndSize-zipMaxComment)
	at := bytes.LastIndex(data[from:], []byte(zipEnd))
	if at < 0 || len(data)-from-at < zipEndSize {
		return 0, false
	}
	end := data[from+at:]
	directory := int64(binary.LittleEndian.Uint32(end[12:]))
	comment := int64(binary.LittleEndian.Uint16(end[20:]))
	start := int64(from+at) - directory
	if start < 0 || zipEndSize+comment > int64(len(end)) {
		return 0, false
	}
	if directory > 0 && !bytes.HasPrefix(data[start:], []byte(zipDirectory)) {
		return 0, false
	}
	return int64(from+at) + zipEndSize + comment, true
}
