package segments

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"

	"github.com/tflarena/tflarena/rewrite/segment"
)

// A File says which file a segment has.
type File struct {
	// Name has the number of the segment and the first digits of SHA256, so that no file takes the place of
	// another one, and a manifest stays right until another manifest takes its place.
	Name string
	// Bytes is the size of the file, SHA256 its digest in hexadecimal digits.
	Bytes  int64
	SHA256 string
}

// Data makes the file of the segment that is layer i+1. Nothing keeps it, so that files that
// are made one after another never are in memory together.
func (p *Plan) Data(i int) ([]byte, error) { return segment.Write(p.Model, p.Segments[i].Part) }

// Files returns what the files of all segments are, in their order. It makes each of them once.
func (p *Plan) Files() ([]File, error) {
	var files []File
	for i := range p.Segments {
		data, err := p.Data(i)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(data)
		digest := hex.EncodeToString(sum[:])
		files = append(files, File{fmt.Sprintf("%s-%.8s.tflite", layerName(i+1), digest), int64(len(data)), digest})
	}
	return files, nil
}

// layerName is what the segment that is a layer is called.
func layerName(layer int) string { return fmt.Sprintf("segment-%04d", layer) }

var fileName = regexp.MustCompile(`^segment-[0-9]{4,}(-[0-9a-f]{8})?\.tflite$`)

// IsFileName reports whether a name is one that files of segments have: also as [Plan.Files] named them before
// it told them apart by their contents.
func IsFileName(name string) bool { return fileName.MatchString(name) }
