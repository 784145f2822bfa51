// Package integer rounds integers to multiples and finds common divisors.
package integer

// RoundUp returns the smallest multiple of a positive number that is at least n.
func RoundUp(n, multiple int64) int64 {
	rest := n % multiple
	if rest > 0 {
		rest -= multiple
	}
	return n - rest
}

// GCD returns the greatest common divisor of two non-negative numbers; GCD(0, b) is b.
func GCD(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
