package pickle

import (
	"bytes"
	"encoding/binary"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Text returns a str or bytes, and "" for other values. In a str, it replaces invalid UTF-8 with U+FFFD.
func (t *Tree) Text(v Value) string {
	switch v.kind() {
	case Bytes:
		return string(t.raw(v.payload()))
	case Text:
	default:
		return ""
	}
	at := v.payload()
	switch t.data[at] {
	case opString:
		return unquoted(t.raw(at))
	case opUnicode:
		return unescaped(t.raw(at))
	}
	return strings.ToValidUTF8(string(t.raw(at)), "\ufffd")
}

// Is reports whether v is a str equal to text.
func (t *Tree) Is(v Value, text string) bool {
	if v.kind() != Text {
		return false
	}
	switch at := v.payload(); t.data[at] {
	case opString, opUnicode:
		return t.Text(v) == text
	default:
		return string(t.raw(at)) == text
	}
}

// raw returns the argument of the opcode of a text.
func (t *Tree) raw(at int) []byte {
	body := t.data[at+1:]
	switch t.data[at] {
	case opShortText, opShortBin, opShortBytes:
		return body[1 : 1+int(body[0])]
	case opBinUnicode, opBinString, opBinBytes:
		return body[4 : 4+int(binary.LittleEndian.Uint32(body))]
	case opText8, opBytes8, opByteArray8:
		return body[8 : 8+int(binary.LittleEndian.Uint64(body))]
	}
	line, _ := lineOf(t.data, at+1)
	return line
}

func isQuoted(line []byte) bool {
	line = bytes.TrimSpace(line)
	n := len(line)
	return n >= 2 && line[0] == line[n-1] && (line[0] == '\'' || line[0] == '"')
}

// unescaped decodes the argument of UNICODE: Latin-1 with escapes \uXXXX and \UXXXXXXXX.
func unescaped(line []byte) string {
	var b strings.Builder
	for i := 0; i < len(line); i++ {
		digits := 0
		if line[i] == '\\' && i+1 < len(line) {
			digits = map[byte]int{'u': 4, 'U': 8}[line[i+1]]
		}
		if digits > 0 && i+2+digits <= len(line) {
			if r, err := strconv.ParseUint(string(line[i+2:i+2+digits]), 16, 32); err == nil {
				b.WriteRune(valid(rune(r)))
				i += 1 + digits
				continue
			}
		}
		b.WriteRune(rune(line[i]))
	}
	return b.String()
}

func valid(r rune) rune {
	if !utf8.ValidRune(r) {
		return utf8.RuneError
	}
	return r
}

// unquoted decodes the argument of STRING, a Python literal.
func unquoted(line []byte) string {
	line = bytes.TrimSpace(line)
	line = line[1 : len(line)-1]
	simple := map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', '\\': '\\', '\'': '\'', '"': '"', 'a': 7, 'b': 8, 'f': 12, 'v': 11}
	var b []byte
	for i := 0; i < len(line); i++ {
		if line[i] != '\\' || i+1 == len(line) {
			b = append(b, line[i])
			continue
		}
		i++
		if c, ok := simple[line[i]]; ok {
			b = append(b, c)
			continue
		}
		if line[i] == 'x' && i+2 < len(line) {
			if n, err := strconv.ParseUint(string(line[i+1:i+3]), 16, 8); err == nil {
				b, i = append(b, byte(n)), i+2
				continue
			}
		}
		b = append(b, '\\', line[i])
	}
	return strings.ToValidUTF8(string(b), "\ufffd")
}
