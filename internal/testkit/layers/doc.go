// Package layers checks the order of packages: data flows from the file to the plan, and its tests fail
// if a package imports against the flow.
package layers
