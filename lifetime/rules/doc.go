// Package rules applies the rules of one runtime to a model: which tensors the runtime
// plans, how large and how aligned they are, and how long each is alive.
//
// A rule set is a value of type [Rules] with named switches: [Lookup] finds one by name,
// and [Rules.View] applies it to a model. To add a runtime, write one more value in
// table.go and set its switches.
//
// Of TensorFlow Lite Micro the package also knows what its reference kernels need (scratch
// in [Device.Requests], the whole arena in [Load.Arena]), which models they cannot run
// ([Unsupported]), which outputs may take over the memory of inputs ([View.Takeovers]), and how
// far others may overlap the inputs that they are made of ([View.Overlaps]).
// Of LiteRT it knows which orders of operators compute something else ([Hazards]).
package rules
