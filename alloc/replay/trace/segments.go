package trace

import (
	"strings"

	"github.com/tflarena/tflarena/alloc/replay"
	"github.com/tflarena/tflarena/alloc/replay/internal/pickle"
)

// addSegments adds the segments and blocks at the time of the snapshot.
func (s *snapshot) addSegments(list pickle.Value) error {
	for _, v := range s.tree.Items(list) {
		if v.Kind() != pickle.Dict {
			return wrong(s.tree, list, "a segment is %s", v.Kind())
		}
		if !s.firstRead(v) {
			return wrong(s.tree, v, "the list of segments has this segment twice")
		}
		if err := s.segment(v); err != nil {
			return err
		}
	}
	for _, d := range s.trace.Devices {
		d.Recorded = list.Kind() == pickle.List
	}
	return nil
}

func (s *snapshot) segment(v pickle.Value) error {
	size, hasSize := s.field(v, "total_size")
	address, hasAddress := s.field(v, "address")
	if !hasAddress || !hasSize || size < 0 || size > maxSize {
		return wrong(s.tree, v, "a segment has no address, or no total_size that is a number of bytes")
	}
	device, _ := s.field(v, "device")
	if device < 0 || device >= maxDevices {
		return wrong(s.tree, v, "device %d is not between 0 and %d", device, maxDevices-1)
	}
	lane := replay.Lane{}
	lane.Stream, _ = s.field(v, "stream")
	if id, ok := s.tree.Get(v, "segment_pool_id"); ok {
		lane.Pool = s.pool(s.tree, id)
	}
	number, err := s.lanes.of(lane, nil)
	if err != nil {
		return wrong(s.tree, v, "%v", err)
	}
	d := s.device(int(device))
	d.Lanes = s.lanes.list
	d.Segments = append(d.Segments, replay.Segment{Address: uint64(address), Size: size, Lane: number})
	blocks, _ := s.tree.Get(v, "blocks")
	if len(s.tree.Items(blocks)) > 0 && !s.firstRead(blocks) {
		return wrong(s.tree, v, "a segment has the blocks of another segment as well")
	}
	return s.blocks(d, blocks, uint64(address), number)
}

// firstRead reports whether a container is read for the first time. A pickle can refer to a container
// again in a few bytes, so reading it each time would not be bounded by the size of the file.
func (s *snapshot) firstRead(container pickle.Value) bool {
	if s.seen[container] {
		return false
	}
	s.seen[container] = true
	return true
}

// blocks adds the blocks in use of a segment. In old snapshots they have no addresses and are
// consecutive.
func (s *snapshot) blocks(d *replay.Device, list pickle.Value, next uint64, lane uint16) error {
	for _, v := range s.tree.Items(list) {
		if v.Kind() == pickle.Dict && !s.firstRead(v) {
			return wrong(s.tree, v, "two segments have this block, or one has it twice")
		}
		size, ok := s.field(v, "size")
		if !ok || size < 0 || size > maxSize {
			return wrong(s.tree, v, "a block has no size that is a number of bytes")
		}
		b := replay.Block{Address: next, Size: size, Stack: -1, Lane: lane}
		if address, ok := s.field(v, "address"); ok {
			b.Address = uint64(address)
		}
		next = b.Address + uint64(size)
		asked, ok := s.field(v, "requested_size")
		history, _ := s.tree.Get(v, "history")
		frames, _ := s.tree.Get(v, "frames")
		if past := s.tree.Items(history); len(past) > 0 { // old snapshots
			if !ok {
				asked, ok = s.field(past[0], "real_size")
			}
			frames, _ = s.tree.Get(past[0], "frames")
		}
		if ok && asked >= 0 && asked <= size {
			b.Size = asked
		}
		if n, isList := s.tree.Number(frames); isList && len(s.tree.ListOf(n)) > 0 {
			b.Stack = int32(n)
		}
		state, _ := s.tree.Get(v, "state")
		if strings.HasPrefix(s.tree.Text(state), "active") {
			d.Blocks = append(d.Blocks, b)
		}
	}
	return nil
}

func (s *snapshot) field(v pickle.Value, key string) (int64, bool) {
	value, ok := s.tree.Get(v, key)
	if !ok {
		return 0, false
	}
	return s.tree.Int(value)
}
