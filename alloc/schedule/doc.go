// Package schedule chooses the order of a graph's operators by memory: it finds orders of the least
// peak, and among several orders the one with the smallest plan.
package schedule
