package picture

import (
	"fmt"
	"math"
)

// colours is the number of different colours.
const colours = 24

// colour returns a light colour; neighbours in the list of records get distant hues.
func colour(i int) string {
	return hsl(float64(i*5%12*30), 0.55, 0.72+float64(i/12%2)*0.08)
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
