package litert

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"

	"github.com/tflarena/tflarena/rewrite/segment"
)

// A SegmentFile describes the file of a segment.
type SegmentFile struct {
	// Name has the number of the segment and the first digits of SHA256, so that new files never
	// overwrite files of an older manifest.
	Name   string
	Bytes  int64
	SHA256 string // in hexadecimal
}

// Data makes the file of segment i. The plan does not keep it.
func (p *SegmentPlan) Data(i int) ([]byte, error) { return segment.Write(p.Model, p.Segments[i].Part) }

// Files describes the files of all segments, in order. It makes each of them once.
func (p *SegmentPlan) Files() ([]SegmentFile, error) {
	var files []SegmentFile
	for i := range p.Segments {
		data, err := p.Data(i)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(data)
		digest := hex.EncodeToString(sum[:])
		files = append(files, SegmentFile{fmt.Sprintf("%s-%.8s.tflite", segmentName(i+1), digest), int64(len(data)), digest})
	}
	return files, nil
}

func segmentName(layer int) string { return fmt.Sprintf("segment-%04d", layer) }

var fileName = regexp.MustCompile(`^segment-[0-9]{4,}(-[0-9a-f]{8})?\.tflite$`)

// IsSegmentFile reports whether a name is one of a segment's file, also of those without a digest that
// earlier versions wrote.
func IsSegmentFile(name string) bool { return fileName.MatchString(name) }
