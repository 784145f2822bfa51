package memorymap

import (
	"fmt"
	"math"

	"golang.org/x/exp/slices"

	"github.com/tflarena/tflarena/lifetime"
)

// A Style is how a role is shown everywhere.
type Style struct {
	Role lifetime.Role `json:"role"`
	// Words explain the role in legends.
	Words string `json:"words"`
	// Light and Dark are the colours on a light and on a dark background, as "#rrggbb". Records of the
	// same role take them in turn, so that neighbours differ.
	Light []string `json:"light"`
	Dark  []string `json:"dark"`
	// Terminal are the same among the 256 colours of terminals, and Signs the characters without
	// colours.
	Terminal []int  `json:"-"`
	Signs    string `json:"-"`
}

// blue are the colours of most records.
var blue = Style{
	Light: []string{"#9cc4ec", "#b5d3f2", "#87b6e4"}, Dark: []string{"#24507c", "#2d5c8b", "#1d4469"},
	Terminal: []int{110, 153, 68}, Signs: "#=+",
}

// of returns a style with the colours and signs of another one.
func (s Style) of(role lifetime.Role, words string) Style {
	s.Role, s.Words = role, words
	return s
}

// Styles are the styles of all roles in the order of legends.
var Styles = []Style{
	{Role: lifetime.RoleInput, Words: "model input", Light: []string{"#8fd0b0"}, Dark: []string{"#1f6b4c"}, Terminal: []int{79}, Signs: "I"},
	{Role: lifetime.RoleOutput, Words: "model output", Light: []string{"#4fae86"}, Dark: []string{"#2c8a63"}, Terminal: []int{35}, Signs: "O"},
	blue.of(lifetime.RoleActivation, "activation"),
	{Role: lifetime.RoleScratch, Words: "scratch of kernels", Light: []string{"#f3c27a"}, Dark: []string{"#8a5a10"}, Terminal: []int{215}, Signs: "s"},
	{Role: lifetime.RoleVariable, Words: "variable", Light: []string{"#cdb2e6"}, Dark: []string{"#5c4080"}, Terminal: []int{140}, Signs: "v"},
	{Role: lifetime.RoleConstant, Words: "constant", Light: []string{"#c4c8cc"}, Dark: []string{"#4a5056"}, Terminal: []int{250}, Signs: "c"},
	{Role: lifetime.RoleWeight, Words: "weights, loaded", Light: []string{"#f0b87a"}, Dark: []string{"#8a5a10"}, Terminal: []int{215}, Signs: "w"},
	{Role: lifetime.RoleResident, Words: "weights, resident", Light: []string{"#cdb2e6"}, Dark: []string{"#5c4080"}, Terminal: []int{140}, Signs: "r"},
	{Role: lifetime.RoleIntermediate, Words: "intermediate", Light: []string{"#c4c8cc"}, Dark: []string{"#4a5056"}, Terminal: []int{250}, Signs: "i"},
	blue.of(lifetime.RoleBlock, "block"),
	blue.of(lifetime.RoleTensor, "tensor"),
}

// Requester is the style of the blocks of a trace by the functions that requested them, in the order of [Map.Requesters].
var Requester = Style{Role: "requester", Words: "function", Light: hues(0.55, 0.72, 0.08), Dark: hues(0.45, 0.26, 0.06)}

// hues returns colours of the same saturation and lightness, and then others that are lighter. Neighbours have distant hues.
func hues(saturation, lightness, lighter float64) (list []string) {
	for i := range 24 {
		list = append(list, hsl(float64(i*5%12*30), saturation, lightness+float64(i/12)*lighter))
	}
	return list
}

// hsl returns a colour by its hue in degrees, its saturation and its lightness.
func hsl(hue, saturation, lightness float64) string {
	part := func(n float64) int {
		k := math.Mod(n+hue/30, 12)
		a := saturation * min(lightness, 1-lightness)
		return int(math.Round(255 * (lightness - a*max(-1, min(k-3, 9-k, 1)))))
	}
	return fmt.Sprintf("#%02x%02x%02x", part(0), part(8), part(4))
}

// Shared is the style of bytes that two records hold at the same time on purpose; pictures hatch them.
var Shared = Style{Role: "overlap", Words: "shared on purpose", Light: []string{"#b3261e"}, Dark: []string{"#ff8a80"}}

// StyleOf returns the style of a role, that of tensors for an unknown one.
func StyleOf(role lifetime.Role) Style {
	i := slices.IndexFunc(Styles, func(s Style) bool { return s.Role == role })
	if i < 0 {
		return StyleOf(lifetime.RoleTensor)
	}
	return Styles[i]
}

// Legend returns the styles of the roles in maps.
func Legend(maps ...Map) (list []Style) {
	used := map[lifetime.Role]bool{}
	shares := false
	for _, m := range maps {
		shares = shares || m.Shares
		for _, role := range m.Roles {
			used[role] = true
		}
	}
	for _, s := range Styles {
		if used[s.Role] {
			list = append(list, s)
		}
	}
	if shares {
		list = append(list, Shared)
	}
	return list
}
