package patch

import (
	"bytes"
	"fmt"

	"github.com/tflarena/tflarena/tflite"
)

// Zip archive records: signatures, sizes of the fixed parts, and offsets of the fields read.
const (
	zipLocal     = "PK\x03\x04"
	zipEntry     = "PK\x01\x02"
	zipEnd       = "PK\x05\x06"
	zip64Locator = "PK\x06\x07"

	zipEntrySize   = 46
	zipEntryVaries = 28 // lengths of name, extra field and comment
	zipEntryLocal  = 42 // position of the local header

	zipEndSize    = 22
	zipEndDisks   = 4
	zipEndCount   = 10
	zipEndLength  = 12 // of the directory
	zipEndStart   = 16 // position of the directory
	zipMaxComment = 1<<16 - 1
	zip64Size     = 20 // of the locator
	zip64Mark     = 1<<32 - 1
)

// zipSites returns the sites of the archive in a range of the file. Positions in it count from
// the start of the file, as metadata writers count them, or from the start of the archive; the
// actual position of the directory, right before the end record, determines which. In the
// latter case readers locate the archive the same way, and no position needs adjusting.
func zipSites(data []byte, r tflite.Range) ([]Site, error) {
	refuse := func(text string, args ...any) ([]Site, error) {
		return nil, &RefusedError{fmt.Sprintf("the zip archive at %#x ", r.Start) + fmt.Sprintf(text, args...), true}
	}
	from := max(r.Start, r.End-zipEndSize-zipMaxComment)
	end := from + int64(bytes.LastIndex(data[from:r.End], []byte(zipEnd)))
	if end < from || r.End-end < zipEndSize {
		return refuse("has no end record")
	}
	u16 := func(at int64) int64 { return int64(le.Uint16(data[at:])) }
	u32 := func(at int64) int64 { return int64(le.Uint32(data[at:])) }
	start, directory := u32(end+zipEndStart), end-u32(end+zipEndLength)
	switch {
	case start == zip64Mark || end-zip64Size >= r.Start && bytes.HasPrefix(data[end-zip64Size:], []byte(zip64Locator)):
		return refuse("has the zip64 format, whose positions are not carried over")
	case u32(end+zipEndDisks) != 0:
		return refuse("is a part of several")
	case directory < r.Start || directory < start:
		return refuse("has its directory at %#x but says %#x", directory, start)
	case directory > start && directory-start < r.Start:
		return refuse("counts positions from %#x, where neither it nor the file begins", directory-start)
	case directory > start:
		return nil, nil
	}
	w := zipWalk{data: data[:end], start: r.Start}
	if problem := w.directory(directory, u16(end+zipEndCount)); problem != "" {
		return refuse("%s", problem)
	}
	return append(w.sites, Site{end + zipEndStart, 4}), nil
}

// zipWalk collects the sites of a directory, which ends where data does.
type zipWalk struct {
	data  []byte
	start int64 // of the archive
	sites []Site
}

// directory walks count entries and returns the problem found, or "".
func (w *zipWalk) directory(at, count int64) (problem string) {
	for range count {
		if int64(len(w.data))-at < zipEntrySize || !bytes.HasPrefix(w.data[at:], []byte(zipEntry)) {
			return fmt.Sprintf("has no directory entry at %#x", at)
		}
		local := int64(le.Uint32(w.data[at+zipEntryLocal:]))
		if local < w.start || local > int64(len(w.data)) || !bytes.HasPrefix(w.data[local:], []byte(zipLocal)) {
			return fmt.Sprintf("has a directory entry at %#x that leads to %#x, where no file begins", at, local)
		}
		w.sites = append(w.sites, Site{at + zipEntryLocal, 4})
		size := int64(zipEntrySize)
		for i := int64(0); i < 6; i += 2 {
			size += int64(le.Uint16(w.data[at+zipEntryVaries+i:]))
		}
		at += size
	}
	if at != int64(len(w.data)) {
		return "has a directory that does not fill its place"
	}
	return ""
}
