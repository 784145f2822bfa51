package lifetime

// A Role is what the bytes of a record are for.
type Role string

// Roles of the records of models.
const (
	RoleInput      Role = "input"
	RoleOutput     Role = "output"
	RoleActivation Role = "activation"
	RoleScratch    Role = "scratch"
	RoleVariable   Role = "variable"
	RoleConstant   Role = "constant"
)

// Roles of models with prefetched weights.
const (
	RoleWeight       Role = "weight"
	RoleResident     Role = "resident"
	RoleIntermediate Role = "intermediate"
)

// Roles without a model: a block of a trace, and a tensor of a problem.
const (
	RoleBlock  Role = "block"
	RoleTensor Role = "tensor"
)
