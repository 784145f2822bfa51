package csource

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// An Array is an array of bytes in a C or C++ source file.
type Array struct {
	Name string
	Data []byte
}

// extensions are the extensions of source files, in lower case.
var extensions = map[string]bool{".c": true, ".cc": true, ".cpp": true, ".cxx": true, ".h": true, ".hh": true, ".hpp": true, ".hxx": true, ".inc": true}

// IsSource reports whether an extension is one of C or C++ source files.
func IsSource(extension string) bool { return extensions[strings.ToLower(extension)] }

// arrayBegin matches the beginning of an array with values.
var arrayBegin = regexp.MustCompile(`\[[\w\s+*()]*\][^;{}"]*=\s*\{`)

// LooksLike reports whether a text begins like a source file with an array, such as the output of xxd -i.
func LooksLike(beginning []byte) bool {
	return !strings.ContainsRune(string(beginning), 0) && arrayBegin.Match(beginning)
}

// Arrays returns the arrays of a source file with only bytes as elements, as decimal, hexadecimal,
// octal or binary numbers or as characters. It reads no macros. Other arrays, such as texts or larger
// numbers, are omitted, and wrong names their first element that is no byte.
func Arrays(source []byte) (list []Array, wrong error) {
	r := &reader{text: source}
	name, last, depth := "", token{}, 0
	for t := r.next(); t.kind != end; t = r.next() {
		switch {
		case depth == 0 && last.kind == word && (t.is('[') || t.is('=') && name == ""):
			name = last.text
		case t.is(';') && depth == 0:
			name = ""
		case t.is('{') && (last.is('=') || last.is(']')) && name != "":
			data, err := r.elements()
			if err == nil {
				list = append(list, Array{name, data})
			} else if wrong == nil {
				wrong = fmt.Errorf("array %s: %w", name, err)
			}
			name = ""
		case t.is('(') && name == "", t.is('[') && name == "":
			depth++
		case (t.is(')') || t.is(']')) && depth > 0:
			depth--
		}
		last = t
	}
	return list, wrong
}

// elements reads the elements of an array to its closing brace.
func (r *reader) elements() (data []byte, err error) {
	separated := true
	for depth := 1; ; {
		t := r.next()
		switch {
		case t.kind == end:
			return nil, errors.New("the file ends within it")
		case t.is('{'):
			depth++
		case t.is('}'):
			if depth--; depth == 0 {
				return data, err
			}
		}
		switch {
		case err != nil: // the rest of the array
		case t.is(',') && !separated:
			separated = true
		case t.is('-') && separated:
			if next := r.next(); next.kind == number {
				err = r.element(&data, token{number, "-" + next.text})
				separated = false
			} else {
				err = notByte(len(data), next)
			}
		case (t.kind == number || t.kind == character) && separated:
			err = r.element(&data, t)
			separated = false
		default:
			err = notByte(len(data), t)
		}
	}
}

func notByte(index int, t token) error {
	const most = 20
	return fmt.Errorf("element %d is no byte: %.*q", index, most, t.text)
}

// element appends the value of a number or a character.
func (r *reader) element(data *[]byte, t token) error {
	var value int64
	if t.kind == character {
		c, _, rest, err := strconv.UnquoteChar(escaped(t.text), '\'')
		if err != nil || rest != "" || c > 255 {
			return notByte(len(*data), t)
		}
		value = int64(c)
	} else {
		digits := strings.TrimRight(strings.ReplaceAll(t.text, "'", ""), "uUlLzZ")
		n, err := strconv.ParseInt(digits, 0, 64)
		if err != nil || strings.ContainsRune(digits, '_') || n < -128 || n > 255 {
			return notByte(len(*data), t)
		}
		value = n
	}
	*data = append(*data, byte(value))
	return nil
}

// octal and hexadecimal match C escapes that are shorter than Go's.
var (
	octal       = regexp.MustCompile(`^\\[0-7]{1,3}$`)
	hexadecimal = regexp.MustCompile(`^\\x[0-9a-fA-F]{1,2}$`)
)

// escaped converts a C character, without its quotes, to Go syntax.
func escaped(c string) string {
	switch {
	case octal.MatchString(c):
		return `\` + strings.Repeat("0", 4-len(c)) + c[1:]
	case hexadecimal.MatchString(c):
		return `\x` + strings.Repeat("0", 4-len(c)) + c[2:]
	case c == `\"`:
		return `"`
	case c == `\?`:
		return "?"
	}
	return c
}

// A kind is a kind of token.
type kind int

const (
	end kind = iota
	word
	number
	character
	text
	sign
)

// A token is a word, a number, a character or a text without its quotes, or a sign.
type token struct {
	kind kind
	text string
}

func (t token) is(c byte) bool { return t.kind == sign && t.text[0] == c }

// A reader reads the tokens of a source file, without comments and directives.
type reader struct {
	text []byte
	at   int
}

func (r *reader) next() token {
	r.skip()
	if r.at >= len(r.text) {
		return token{}
	}
	from, c := r.at, r.text[r.at]
	r.at++
	switch {
	case c >= '0' && c <= '9':
		r.while(func(c byte) bool { return isNamePart(c) || c == '\'' || c == '.' })
		return token{number, string(r.text[from:r.at])}
	case isNamePart(c):
		r.while(isNamePart)
		return token{word, string(r.text[from:r.at])}
	case c == '"' || c == '\'':
		for r.at < len(r.text) && r.text[r.at] != c && r.text[r.at] != '\n' {
			if r.text[r.at] == '\\' {
				r.at++
			}
			r.at++
		}
		r.at = min(r.at, len(r.text))
		inside := string(r.text[from+1 : r.at])
		r.at = min(r.at+1, len(r.text))
		if c == '"' {
			return token{text, inside}
		}
		return token{character, inside}
	}
	return token{sign, string(c)}
}

// isNamePart reports whether a byte may be part of a name; all non-ASCII bytes may.
func isNamePart(c byte) bool { return IsWord(rune(c)) || c == '_' || c >= 0x80 }

func (r *reader) while(f func(byte) bool) {
	for r.at < len(r.text) && f(r.text[r.at]) {
		r.at++
	}
}

// skip advances to the next token.
func (r *reader) skip() {
	for r.at < len(r.text) {
		rest := r.text[r.at:]
		switch {
		case rest[0] <= ' ':
			r.at++
		case rest[0] == '#': // a directive, to the end of its line
			r.line()
		case len(rest) > 1 && rest[0] == '/' && rest[1] == '/':
			r.line()
		case len(rest) > 1 && rest[0] == '/' && rest[1] == '*':
			r.at += 2
			for r.at < len(r.text) && !(r.text[r.at] == '/' && r.text[r.at-1] == '*' && r.at > len(r.text)-len(rest)+2) {
				r.at++
			}
			r.at = min(r.at+1, len(r.text))
		default:
			return
		}
	}
}

// line advances to the end of a line, including lines continued by a backslash.
func (r *reader) line() {
	for r.at < len(r.text) && r.text[r.at] != '\n' {
		if r.text[r.at] == '\\' && r.at+1 < len(r.text) {
			r.at++
			if r.text[r.at] == '\r' && r.at+1 < len(r.text) {
				r.at++
			}
		}
		r.at++
	}
	r.at = min(r.at, len(r.text))
}
