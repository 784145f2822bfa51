package pickle

import "strconv"

// memoOpcode runs the opcodes of the memo, the stack and the file.
func (m *machine) memoOpcode(op byte) {
	switch op {
	case opPut:
		m.put(m.index())
	case opBinPut:
		m.put(int(m.littleEndian(1)))
	case opLongBinPut:
		m.put(int(m.littleEndian(4)))
	case opMemoize:
		m.put(m.memo.n + len(m.sparse))
	case opGet:
		m.get(m.index())
	case opBinGet:
		m.get(int(m.littleEndian(1)))
	case opLongBinGet:
		m.get(int(m.littleEndian(4)))
	case opPop:
		if len(m.marks) > 0 && len(m.stack) == m.base() {
			m.marks = m.marks[:len(m.marks)-1]
		} else {
			m.pop()
		}
	case opPopMark:
		m.popMark()
	case opDup:
		m.push(m.top())
	case opProto:
		if version := m.littleEndian(1); version > maxProtocol {
			m.fail("protocol %d is not known: the last one is %d", version, maxProtocol)
		}
	case opFrame:
		if size := m.littleEndian(8); size > uint64(len(m.data)-m.next) {
			m.fail("the pickle is cut off: a frame of %d B begins here, and %d B are left", size, len(m.data)-m.next)
		}
	}
}

// index reads the decimal number of PUT and GET.
func (m *machine) index() int {
	n, err := strconv.Atoi(string(m.line()))
	if err != nil || n < 0 {
		m.fail("this is not an index of the memo")
		return 0
	}
	return n
}

// sparseBytes is the approximate size of a map entry.
const sparseBytes = 64

func (m *machine) put(i int) {
	v := m.top()
	switch {
	case i < 0: // an int may have 32 bits
		m.fail("the index of the memo is too large")
	case i < m.memo.n:
		*m.memo.at(i) = v
	case i == m.memo.n && len(m.sparse) == 0:
		if m.memo.push(v) {
			m.extra += pieceLen * cellBytes
		}
	default:
		if m.sparse == nil {
			m.sparse = map[int]Value{}
		}
		if _, known := m.sparse[i]; !known {
			m.extra += sparseBytes
		}
		m.sparse[i] = v
	}
}

func (m *machine) get(i int) {
	if i >= 0 && i < m.memo.n {
		m.push(*m.memo.at(i))
		return
	}
	v, ok := m.sparse[i]
	if !ok {
		m.fail("the memo has nothing at index %d", i)
	}
	m.push(v)
}
