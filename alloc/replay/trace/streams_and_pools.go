package trace

import (
	"errors"
	"strings"

	"github.com/tflarena/tflarena/alloc/replay"
)

// lanes numbers streams and pools in the order in which they come.
type lanes struct {
	list  []replay.Lane
	index map[replay.Lane]uint16
	// last is the number of the lane that was asked for last, which most events have again.
	last uint16
}

func newLanes() lanes { return lanes{index: map[replay.Lane]uint16{}} }

// maxLanes is how many numbers an event has room for.
const maxLanes = 1 << 16

// of returns the number of a lane, or the error that there was before.
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
