// Package test opens pages of the command "report" in headless Chromium, from files, and the
// application of the command "serve", and does with them what people do.
package test
