package pickle

// The opcodes, named as in Python's module pickletools.
const (
	opMark = '('
	opStop = '.'
	opPop  = '0'
	opDup  = '2'

	opPopMark    = '1'
	opNone       = 'N'
	opInt        = 'I'
	opLong       = 'L'
	opBinInt     = 'J'
	opBinInt1    = 'K'
	opBinInt2    = 'M'
	opLong1      = 0x8a
	opLong4      = 0x8b
	opFloat      = 'F'
	opBinFloat   = 'G'
	opTrue       = 0x88
	opFalse      = 0x89
	opString     = 'S'
	opBinString  = 'T'
	opShortBin   = 'U' // SHORT_BINSTRING
	opUnicode    = 'V'
	opBinUnicode = 'X'
	opShortText  = 0x8c // SHORT_BINUNICODE
	opText8      = 0x8d // BINUNICODE8
	opBinBytes   = 'B'
	opShortBytes = 'C'
	opBytes8     = 0x8e
	opByteArray8 = 0x96

	opEmptyList  = ']'
	opAppend     = 'a'
	opAppends    = 'e'
	opList       = 'l'
	opEmptyTuple = ')'
	opTuple      = 't'
	opTuple1     = 0x85
	opTuple2     = 0x86
	opTuple3     = 0x87
	opEmptyDict  = '}'
	opDict       = 'd'
	opSetItem    = 's'
	opSetItems   = 'u'
	opEmptySet   = 0x8f
	opAddItems   = 0x90
	opFrozenSet  = 0x91

	opPut        = 'p'
	opBinPut     = 'q'
	opLongBinPut = 'r'
	opMemoize    = 0x94
	opGet        = 'g'
	opBinGet     = 'h'
	opLongBinGet = 'j'

	opProto = 0x80
	opFrame = 0x95
)

const maxProtocol = 5

// A family is a group of opcodes that one method of a machine runs.
type family uint8

const (
	noFamily family = iota
	literals
	textLiterals
	builders
	memoOpcodes
	marks
)

// families has the families of all opcodes except STOP. A file can have hundreds of millions of opcodes,
// so dispatch is one look-up.
var families = func() (table [256]family) {
	for f, opcodes := range map[family][]byte{
		literals: {
			opBinInt1, opBinInt2, opBinInt, opLong1, opLong4, opShortText, opBinUnicode, opBinString, opShortBin, opText8,
			opShortBytes, opBinBytes, opBytes8, opByteArray8, opNone, opTrue, opFalse, opBinFloat,
		},
		textLiterals: {opInt, opLong, opFloat, opString, opUnicode},
		builders: {
			opEmptyDict, opEmptyList, opEmptySet, opEmptyTuple, opSetItems, opSetItem, opAppends, opAppend, opAddItems,
			opTuple1, opTuple2, opTuple3, opTuple, opList, opDict, opFrozenSet,
		},
		memoOpcodes: {
			opPut, opBinPut, opLongBinPut, opMemoize, opGet, opBinGet, opLongBinGet, opPop, opPopMark, opDup, opProto, opFrame,
		},
		marks: {opMark},
	} {
		for _, op := range opcodes {
			table[op] = f
		}
	}
	return table
}()

// refused has the opcodes that plain data does not use, and their effects.
var refused = map[byte]string{
	'c': "GLOBAL looks a function or class up", 0x93: "STACK_GLOBAL looks a function or class up",
	'R': "REDUCE calls a function", 'b': "BUILD sets the state of an object",
	'i': "INST makes an object", 'o': "OBJ makes an object", 0x81: "NEWOBJ makes an object", 0x92: "NEWOBJ_EX makes an object",
	0x82: "EXT1 looks a class up", 0x83: "EXT2 looks a class up", 0x84: "EXT4 looks a class up",
	'P': "PERSID refers to an object outside of the file", 'Q': "BINPERSID refers to an object outside of the file",
	0x97: "NEXT_BUFFER refers to a buffer outside of the file", 0x98: "READONLY_BUFFER refers to a buffer outside of the file",
}
