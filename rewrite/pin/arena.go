package pin

import "github.com/tflarena/tflarena/lifetime/rules"

// Arena returns the memory in the whole arena on a device.
func (o *Outcome) Arena(device rules.Device) rules.Arena {
	return rules.Load{
		Kept: persistent(o.model, o.offsets), Planned: o.Planned, Head: o.Head, Requests: o.scratch,
	}.Arena(device)
}
