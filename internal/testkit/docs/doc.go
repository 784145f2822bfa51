// Package docs keeps the documents true: its tests fail where a document names a file that does
// not exist, says of the code what the code does not say, or gives instructions that do not work.
package docs
