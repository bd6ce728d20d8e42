// Package text shows a text with the marks of its explainability page.
package text
