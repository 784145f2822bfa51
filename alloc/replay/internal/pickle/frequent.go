package pickle

import "encoding/binary"

// maxFrequent is the size of the longest frequent opcode, in bytes.
const maxFrequent = 10

// frequent runs the next opcodes as long as they are of the most frequent kinds: about 70 % of them push
// a number or a value of the memo. It leaves rare and invalid ones to the methods of the families, and
// stops when memory has to be checked again.
func (m *machine) frequent() {
	next, stack := m.next, m.stack
loop:
	for next <= m.nextCheck && next+maxFrequent <= len(m.data) {
		argument := m.data[next+1 : next+maxFrequent]
		switch m.data[next] {
		case opBinGet:
			if int(argument[0]) >= m.memo.n {
				break loop
			}
			stack = append(stack, *m.memo.at(int(argument[0])))
			next += 2
		case opLongBinGet:
			i := binary.LittleEndian.Uint32(argument)
			if uint64(i) >= uint64(m.memo.n) {
				break loop
			}
			stack = append(stack, *m.memo.at(int(i)))
			next += 5
		case opBinInt1:
			stack = append(stack, short(int64(argument[0])))
			next += 2
		case opBinInt:
			stack = append(stack, short(int64(int32(binary.LittleEndian.Uint32(argument)))))
			next += 5
		case opLong1:
			n := int64(binary.LittleEndian.Uint64(argument[1:]))
			if argument[0] != 8 || !isShort(n) {
				break loop
			}
			stack = append(stack, short(n))
			next += 10
		case opMark:
			m.marks = append(m.marks, len(stack))
			next++
		default:
			break loop
		}
	}
	m.next, m.stack = next, stack
}
