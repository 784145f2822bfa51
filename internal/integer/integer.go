// Package integer rounds integers to multiples and finds common divisors.
package integer

// RoundUp returns the least multiple of a positive number that is not below n.
func RoundUp(n, multiple int64) int64 {
	rest := n % multiple
	if rest > 0 {
		rest -= multiple
	}
	return n - rest
}

// GCD returns the greatest common divisor of two numbers that are not negative, and the other where one is 0.
func GCD(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
