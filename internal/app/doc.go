// Package app does what commands do with a model: it analyzes and checks it, compares it with another one, and makes its
// report. Its requests and results have types, and no flags, files or terminals. The command, the page of the report and
// the application of "serve" use it alike.
package app
