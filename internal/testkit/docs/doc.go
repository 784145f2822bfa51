// Package docs checks the documents: its tests fail if a document names a missing file, contradicts the
// code, or has instructions that do not work.
package docs
