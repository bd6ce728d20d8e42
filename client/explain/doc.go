// Package explain reads the explainability page of a text into styled segments: nothing of it is run or loaded.
package explain
