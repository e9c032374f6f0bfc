package mailtexts

import "github.com/admitto/admitto/internal/ui"

// differences are the lines of two texts one below the other: those of both once, those that only was has as taken
// away, those that only is has as added (the longest common subsequence).
func differences(was, is []string) (lines []ui.DiffLine) {
	begin := 0
	for begin < len(was) && begin < len(is) && was[begin] == is[begin] {
		lines = append(lines, ui.DiffLine{Text: was[begin]})
		begin++
	}
	endWas, endIs := len(was), len(is)
	for endWas > begin && endIs > begin && was[endWas-1] == is[endIs-1] {
		endWas, endIs = endWas-1, endIs-1
	}
	a, b := was[begin:endWas], is[begin:endIs]
	common := make([][]int, len(a)+1) // how many lines a[i:] and b[j:] have in common
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			lines = append(lines, ui.DiffLine{Text: a[i]})
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			lines = append(lines, ui.DiffLine{Op: "-", Text: a[i]})
			i++
		default:
			lines = append(lines, ui.DiffLine{Op: "+", Text: b[j]})
			j++
		}
	}
	for _, line := range was[endWas:] {
		lines = append(lines, ui.DiffLine{Text: line})
	}
	return lines
}
