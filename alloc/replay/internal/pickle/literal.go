package pickle

import (
	"bytes"
	"strconv"
	"strings"
)

// literal runs the opcodes that push a number, a constant or a text.
func (m *machine) literal(op byte) {
	switch op {
	case opBinInt1:
		m.push(valueOf(Int, int(m.littleEndian(1))))
	case opBinInt2:
		m.push(valueOf(Int, int(m.littleEndian(2))))
	case opBinInt:
		m.push(m.number(int64(int32(m.littleEndian(4)))))
	case opLong1:
		m.long(m.argument(m.littleEndian(1)))
	case opLong4:
		m.long(m.argument(m.length(4)))
	case opShortText:
		m.text(Text, 1)
	case opBinUnicode, opBinString:
		m.text(Text, 4)
	case opShortBin:
		m.text(Text, 1)
	case opText8:
		m.text(Text, 8)
	case opShortBytes:
		m.text(Bytes, 1)
	case opBinBytes:
		m.text(Bytes, 4)
	case opBytes8, opByteArray8:
		m.text(Bytes, 8)
	case opNone:
		m.push(valueOf(None, 0))
	case opTrue:
		m.push(valueOf(Bool, 1))
	case opFalse:
		m.push(valueOf(Bool, 0))
	case opBinFloat:
		m.argument(8)
		m.push(valueOf(Float, m.at))
	}
}

// textLiteral runs the opcodes of protocol 0, whose arguments are lines of text.
func (m *machine) textLiteral(op byte) {
	switch op {
	case opInt:
		m.decimal(string(m.line()))
	case opLong:
		m.decimal(strings.TrimSuffix(string(m.line()), "L"))
	case opFloat:
		if _, err := strconv.ParseFloat(string(m.line()), 64); err != nil {
			m.fail("this is not a float")
		}
		m.push(valueOf(Float, m.at))
	case opString:
		if line := m.line(); m.err == nil && !isQuoted(line) {
			m.fail("this text has no quotes around it")
		}
		m.push(valueOf(Text, m.at))
	case opUnicode:
		m.line()
		m.push(valueOf(Text, m.at))
	}
}

// length reads the length of the following data.
func (m *machine) length(size uint64) uint64 {
	n := m.littleEndian(size)
	if size == 4 && m.data[m.at] != opBinUnicode && m.data[m.at] != opBinBytes && n >= 1<<31 {
		m.fail("a length is below zero")
		return 0
	}
	return n
}

func (m *machine) text(k Kind, size uint64) {
	m.argument(m.length(size))
	m.push(valueOf(k, m.at))
}

// long pushes an integer in two's complement.
func (m *machine) long(little []byte) {
	if len(little) > 8 {
		m.push(valueOf(Large, m.at))
		return
	}
	var n int64
	for i, b := range little {
		n |= int64(b) << (8 * i)
	}
	if free := 64 - 8*len(little); len(little) > 0 {
		n = n << free >> free
	}
	m.push(m.number(n))
}

// decimal pushes an integer written as text. 00 and 01 are the bools of protocol 0.
func (m *machine) decimal(text string) {
	switch text {
	case "00", "01":
		m.push(valueOf(Bool, int(text[1]-'0')))
		return
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err == nil {
		m.push(m.number(n))
		return
	}
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		m.fail("this is not an integer")
	}
	m.push(valueOf(Large, m.at))
}

// line reads the rest of a line.
func (m *machine) line() []byte {
	line, ok := lineOf(m.data, m.next)
	if !ok {
		m.fail("the pickle is cut off: a line has no end")
	}
	m.next += len(line) + 1
	return line
}

// lineOf returns a line without its newline. ok is false if the newline is missing.
func lineOf(data []byte, from int) (line []byte, ok bool) {
	if from > len(data) {
		return nil, false
	}
	line, _, ok = bytes.Cut(data[from:], []byte{'\n'})
	return line, ok
}
