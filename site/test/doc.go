// Package test opens pages of the command "report" in headless Chromium, from files, and does with
// them what people do.
package test
