// Package layers keeps the packages in their order: data flows from the file to the plan, and
// its tests fail where a package imports against the flow.
package layers
