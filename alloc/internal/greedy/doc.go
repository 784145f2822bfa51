// Package greedy has the strategies that place one record after another in free space, in several
// orders, and a hill climb over these orders.
package greedy
