//go:build e2e && linux

package exhibit

import (
	"fmt"
	"html"
	"strings"
)

func textModels(status string, score float64) []Model {
	return []Model{judged("svc-llm-txt", status, score), apart("svc-oak-img"), apart("svc-slim-aud")}
}

// page is an explainability page: sentences, every one that has a score marked with it. What a page has no business with is there too.
func page(direction string, sentences []string, scores ...float64) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "<!DOCTYPE html><html><head><title>Explanation</title><style>body{font-family:serif}</style>"+
		"<script>document.title='run'</script></head><body><h1>Where the model reacted</h1><p dir=%q>", direction)
	for i, sentence := range sentences {
		text := html.EscapeString(sentence) + " "
		if i < len(scores) && scores[i] > 0 {
			text = fmt.Sprintf("<span style=\"background-color: rgba(255,120,0,%.2f)\" data-score=\"%.2f\">%s</span>", scores[i], scores[i], text)
		}
		b.WriteString(text)
	}
	b.WriteString("</p><img src=\"https://example.org/pixel.png\"></body></html>")
	return []byte(b.String())
}

var (
	english = strings.SplitAfter("The harbour authority said on Sunday that nothing of the kind had happened. It is important to note that the situation "+
		"remains fluid. Witnesses described a loud noise shortly after four in the afternoon. In conclusion, the interplay of these factors underscores the "+
		"need for a comprehensive approach. Two ferries were sent back to the mainland. Moreover, stakeholders must navigate a complex landscape. "+
		"A spokesperson declined to say who had ordered the evacuation.", ". ")
	arabic = strings.SplitAfter("قالت سلطة الميناء يوم الأحد إن شيئًا من ذلك لم يحدث. من المهم ملاحظة أن الوضع لا يزال متغيرًا. "+
		"وصف شهود عيان دوي انفجار قوي بعد الرابعة عصرًا بقليل. أعيدت عبّارتان إلى البر الرئيسي. ورفض متحدث باسم السلطة (Harbour Authority) التعليق.", ". ")
	chinese = strings.SplitAfter("港务局周日表示，此类事件并未发生。值得注意的是，局势仍在变化。目击者称，下午四点过后不久听到一声巨响。两艘渡轮被遣返大陆。发言人拒绝说明是谁下令疏散。", "。")
)

// texts are the exhibits of texts.
func texts() []*Exhibit {
	of := func(key, name, content string, a Answer) *Exhibit {
		return &Exhibit{Key: key, Name: name, Content: []byte(content), Answer: a}
	}
	long := strings.Repeat(strings.Join(english, "")+"\n\n", 12)
	scored, score := answer("TEXT", Fake, textModels(Fake, 94)...).heard("English"), 93.6
	scored.ResultsSummary.Metadata.FinalScore = &score
	return []*Exhibit{
		of("text-fake", "statement.txt", long, scored).
			with(explanationFile, page("ltr", strings.SplitAfter(strings.ReplaceAll(long, "\n\n", " "), ". "), 0, 0.81, 0, 0.97, 0.22, 0.93, 0, 0, 0.6)).
			aggregated(map[string]any{"models": []map[string]any{{"name": "svc-llm-txt", "status": Fake, "score": 94}}, "ensembles": []any{},
				"conclusions": map[string]string{"svc-llm-txt": "Even sentence lengths, few surprises."}}),
		of("text-suspicious-arabic", "بيان.txt", strings.Join(arabic, ""), answer("TEXT", Suspicious, textModels(Suspicious, 57)...)).
			with(explanationFile, page("rtl", arabic, 0, 0.8, 0, 0.4)),
		of("text-authentic-chinese", "声明.txt", strings.Join(chinese, ""), answer("TEXT", Authentic, textModels(Authentic, 8)...)).
			with(explanationFile, page("ltr", chinese, 0, 0.12)),
		of("text-not-applicable", "caption.txt", "Harbour, Sunday.", notAssessed("TEXT", []Model{apart("svc-llm-txt")},
			Reason{"length", "The text is too short to be judged."})),
		of("text-not-evaluated", "minutes.txt", strings.Join(english[:4], ""), notEvaluated("TEXT", failed("svc-llm-txt"))),
		of("text-provisional", "translation.txt", strings.Join(english[:5], ""), answer("TEXT", Authentic, unscored("svc-llm-txt", Analyzing))),
		of("text-unknown-status", "draft.txt", strings.Join(english[:3], ""), answer("TEXT", Unheard, judged("svc-llm-txt", Unheard, 50))),
		of("text-no-page", "speech.txt", strings.Join(english[1:], ""), answer("TEXT", Fake, textModels(Fake, 71)...)),
	}
}
