package forensics

// regions gives the connected regions (eight neighbours) of the values in rows
// of cols for which in holds, as indices, in the order of their first cell.
func regions(values []float64, cols int, in func(float64) bool) [][]int {
	var all [][]int
	seen := make([]bool, len(values))
	for start := range values {
		if seen[start] || !in(values[start]) {
			continue
		}
		seen[start] = true
		region := []int{start}
		for i := 0; i < len(region); i++ {
			x, y := region[i]%cols, region[i]/cols
			for ny := max(y-1, 0); ny <= y+1 && ny*cols < len(values); ny++ {
				for nx := max(x-1, 0); nx <= min(x+1, cols-1); nx++ {
					n := ny*cols + nx
					if n < len(values) && !seen[n] && in(values[n]) {
						seen[n] = true
						region = append(region, n)
					}
				}
			}
		}
		all = append(all, region)
	}
	return all
}
