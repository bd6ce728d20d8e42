// Package jsontree is an index of JSON text of any shape and size, read where it is looked at. It imports the standard library alone.
//
// Read goes over the text once and keeps a few marks to every kilobyte of it; everything else is read from the text when it is asked
// for, and costs what is asked for: a row on screen, not the document. Numbers and texts stay as they were sent.
package jsontree
