package budget

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/tflarena/tflarena/internal/units"
)

// A Growth is an allowed growth: a number of bytes, or a fraction of the base.
type Growth struct {
	// bytes applies unless percent is set; then millionths of a percent do.
	bytes      int64
	percent    bool
	millionths int64
}

// ParseGrowth reads a growth: a percentage such as "2%" or "0.5 %", or a size such as "1K".
func ParseGrowth(text string) (Growth, error) {
	number, ok := strings.CutSuffix(strings.TrimSpace(text), "%")
	if !ok {
		n, err := units.Parse(text)
		return Growth{bytes: n}, err
	}
	const digits, most = 6, 1e6
	whole, fraction, _ := strings.Cut(strings.TrimSpace(number), ".")
	if len(fraction) <= digits {
		all := whole + fraction + strings.Repeat("0", digits-len(fraction))
		if n, err := strconv.ParseUint(all, 10, 63); err == nil && whole != "" && n <= most*1e6 {
			return Growth{percent: true, millionths: int64(n)}, nil
		}
	}
	return Growth{}, fmt.Errorf("growth %q is not a percentage such as 2%% or 0.5%%", text)
}

// Limit returns the largest allowed number of bytes for base bytes: whole bytes, rounded down.
func (g Growth) Limit(base int64) int64 {
	allowed := big.NewInt(g.bytes)
	if g.percent {
		const whole = 100 * 1e6
		allowed.Mul(big.NewInt(base), big.NewInt(g.millionths))
		allowed.Div(allowed, big.NewInt(whole))
	}
	if allowed.Add(allowed, big.NewInt(base)); !allowed.IsInt64() {
		return 1<<63 - 1
	}
	return allowed.Int64()
}

// String returns the growth for a sentence, such as "2 %" or "1,024 B (1.00 KiB)".
func (g Growth) String() string {
	if !g.percent {
		return units.Bytes(g.bytes)
	}
	text := fmt.Sprintf("%d.%06d", g.millionths/1e6, g.millionths%1e6)
	return strings.TrimRight(strings.TrimRight(text, "0"), ".") + " %"
}

// A Base is the base of an arena's growth: a recorded arena, or the arena of a file.
type Base struct {
	// Bytes is the recorded arena_used_bytes(). It applies if File is "".
	Bytes int64
	// File is a model, or a folder that has a model of the same name.
	File string
}
