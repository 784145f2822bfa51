package segments

import "github.com/tflarena/tflarena/rewrite/segment"

// Files returns the file of each segment, in their order.
func (p *Plan) Files() ([][]byte, error) {
	var files [][]byte
	for _, s := range p.Segments {
		data, err := segment.Write(p.Model, s.Part)
		if err != nil {
			return nil, err
		}
		files = append(files, data)
	}
	return files, nil
}

// RuntimeBytes returns what LiteRT takes once, which every budget has to hold.
func RuntimeBytes() int64 { return runtimeBytes }
