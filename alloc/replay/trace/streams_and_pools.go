package trace

import (
	"errors"
	"strings"

	"github.com/tflarena/tflarena/alloc/replay"
)

// lanes numbers streams and pools in order of appearance.
type lanes struct {
	list  []replay.Lane
	index map[replay.Lane]uint16
	last  uint16 // the last result; most events have the same lane again
}

func newLanes() lanes { return lanes{index: map[replay.Lane]uint16{}} }

// maxLanes is the largest number of lanes; an event has 16 bits for it.
const maxLanes = 1 << 16

// of returns the number of a lane, or an earlier error.
func (l *lanes) of(lane replay.Lane, before error) (uint16, error) {
	if before != nil {
		return 0, before
	}
	if len(l.list) > 0 && l.list[l.last] == lane {
		return l.last, nil
	}
	n, ok := l.index[lane]
	if ok {
		l.last = n
		return n, nil
	}
	if len(l.list) == maxLanes {
		return 0, errors.New("there are more than 65536 streams and pools")
	}
	n = uint16(len(l.list))
	lane.Pool = strings.Clone(lane.Pool) // which may be a part of a row
	l.index[lane] = n
	l.list = append(l.list, lane)
	return n, nil
}
