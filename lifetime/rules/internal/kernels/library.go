package kernels

import (
	"github.com/tflarena/tflarena/schema"
	"github.com/tflarena/tflarena/tflite"
)

// A Library is a set of kernels that the runtime is linked with.
type Library struct {
	// Name is what people choose it by.
	Name string
	// builtins and customs say what its kernels ask for, by operator. A kernel that is not
	// there is that of the reference library, as the runtime's build system has it.
	builtins map[schema.BuiltinOperator]demand
	customs  map[string]demand
}

// Reference is the library of the reference kernels.
var Reference = &Library{Name: "reference", builtins: reference, customs: referenceCustom}

// Libraries is the registry. A new library is an entry here and a file with its tables.
var Libraries = []*Library{
	Reference,
}

// A Build is what the sizes that kernels ask for depend on: the library and the ABI.
type Build struct {
	Library *Library
	ABI     ABI
}

// demand returns what the kernel of an operator asks for; known is false where no library
// has such a kernel.
func (l *Library) demand(m *tflite.Model, op *tflite.Operator) (d demand, known bool) {
	code := m.OperatorCodes[op.Code].Builtin
	if code != schema.BuiltinOperatorCUSTOM {
		return l.builtin(code)
	}
	if d, known = l.customs[op.Name]; !known {
		d, known = referenceCustom[op.Name]
	}
	return d, known
}

func (l *Library) builtin(code schema.BuiltinOperator) (d demand, known bool) {
	if d, known = l.builtins[code]; !known {
		d, known = reference[code]
	}
	return d, known
}
