// Package app implements the commands: it analyzes, checks, plans, compares, rewrites and fits models,
// plans prefetched weights, replays traces, and makes reports. Its requests have types, and no
// flags, files or terminals. The
// command, the page of the report and the application of "serve" all use it.
package app
