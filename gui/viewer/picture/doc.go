// Package picture shows a picture with the heatmaps of its models.
package picture
