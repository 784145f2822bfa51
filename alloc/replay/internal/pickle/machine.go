package pickle

import (
	"encoding/binary"
	"fmt"
)

// A machine runs a pickle, a program for a stack machine.
type machine struct {
	data  []byte
	at    int // the current opcode
	next  int // the next byte to read
	tree  *Tree
	fold  Fold
	limit int64

	stack  []Value
	marks  []int
	memo   slab[Value]   // consecutive indexes from 0
	sparse map[int]Value // the memo at all other indexes
	tuples map[[4]Value]Value
	// lastKey and lastTuple cache the last look-up in tuples.
	lastKey   [4]Value
	lastTuple Value
	extra     int64 // bytes of memo, sparse and tuples
	nextCheck int   // the offset of the next memory check
	err       error
}

// checkStep is the number of bytes of opcodes, and of values on the stack, after which memory is checked
// again. They take a few kilobytes at most.
const checkStep = 1 << 11

const noValue = Value(mark) << payloadBits

// fail sets the error unless there is one.
func (m *machine) fail(format string, args ...any) {
	if m.err == nil {
		m.err = &Error{Offset: int64(m.at), Problem: fmt.Sprintf(format, args...)}
	}
}

func (m *machine) run() error {
	for m.err == nil {
		m.frequent()
		if m.at = m.next; m.at >= len(m.data) {
			m.fail("the pickle ends before its STOP opcode: it is cut off")
			break
		}
		op := m.data[m.at]
		m.next++
		if op == opStop {
			m.tree.Root = m.pop()
			break
		}
		switch families[op] {
		case marks:
			m.marks = append(m.marks, len(m.stack))
		case literals:
			m.literal(op)
		case textLiterals:
			m.textLiteral(op)
		case builders:
			m.build(op)
		case memoOpcodes:
			m.memoOpcode(op)
		default:
			m.unknown(op)
		}
		if m.at > m.nextCheck || len(m.stack)+len(m.marks) > checkStep {
			m.checkMemory()
		}
	}
	return m.err
}

// checkMemory fails if the pickle takes more memory than the limit.
func (m *machine) checkMemory() {
	m.nextCheck = m.at + checkStep
	if m.memory() > m.limit {
		m.fail("the pickle would need more than %d bytes of memory, the limit for its size", m.limit)
	}
}

// memory estimates the memory in use, in bytes. Slices count twice, since they are copied when they grow.
func (m *machine) memory() int64 {
	const slot = 2 * 8
	return int64(cap(m.stack)+cap(m.marks)+cap(m.tree.wide))*slot + m.tree.taken + m.extra
}

func (m *machine) unknown(op byte) {
	if what, ok := refused[op]; ok {
		m.fail("opcode 0x%02x is refused: %s, and only plain data is read", op, what)
		return
	}
	m.fail("0x%02x is not an opcode of a pickle", op)
}

func (m *machine) push(v Value) { m.stack = append(m.stack, v) }

// base returns the height of the stack below which an opcode must not pop.
func (m *machine) base() int {
	if len(m.marks) > 0 {
		return m.marks[len(m.marks)-1]
	}
	return 0
}

func (m *machine) pop() Value {
	if len(m.stack) <= m.base() {
		m.fail("there is nothing on the stack to take")
		return noValue
	}
	v := m.stack[len(m.stack)-1]
	m.stack = m.stack[:len(m.stack)-1]
	return v
}

func (m *machine) top() Value {
	if len(m.stack) <= m.base() {
		m.fail("there is nothing on the stack")
		return noValue
	}
	return m.stack[len(m.stack)-1]
}

// popMark pops the values above the last mark. They are valid until the next push.
func (m *machine) popMark() []Value {
	if len(m.marks) == 0 {
		m.fail("there is no mark on the stack")
		return nil
	}
	from := m.base()
	m.marks = m.marks[:len(m.marks)-1]
	items := m.stack[from:]
	m.stack = m.stack[:from]
	return items
}

// argument returns the next n bytes of an opcode's argument, or nil.
func (m *machine) argument(n uint64) []byte {
	if n > uint64(len(m.data)-m.next) {
		m.fail("the pickle is cut off: %d B are needed here, and %d B are left", n, len(m.data)-m.next)
		return nil
	}
	m.next += int(n)
	return m.data[m.next-int(n) : m.next]
}

// littleEndian reads a little-endian number of 1, 2, 4 or 8 bytes.
func (m *machine) littleEndian(size uint64) uint64 {
	switch rest := m.data[m.next:]; {
	case uint64(len(rest)) < size:
		m.argument(size) // reports that it is cut off
		return 0
	case size == 1:
		m.next++
		return uint64(rest[0])
	case size == 2:
		m.next += 2
		return uint64(binary.LittleEndian.Uint16(rest))
	case size == 4:
		m.next += 4
		return uint64(binary.LittleEndian.Uint32(rest))
	default:
		m.next += 8
		return binary.LittleEndian.Uint64(rest)
	}
}
