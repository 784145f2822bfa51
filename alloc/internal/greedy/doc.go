// Package greedy has the strategies that place one record after another where they find
// room, in several orders, and a hill climb over these orders.
package greedy
