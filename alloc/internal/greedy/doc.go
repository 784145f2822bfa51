// Package greedy holds the strategies that place one record after the other where it finds
// room, in several orders, and a hill climb over those.
package greedy
