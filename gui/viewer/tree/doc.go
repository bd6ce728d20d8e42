// Package tree shows JSON of any shape and size as a searchable tree.
package tree
