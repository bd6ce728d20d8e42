package forensics

// AudioReport is what all analysers together found in one recording.
type AudioReport struct {
	Duration             float64 // seconds
	SampleRate, Channels int     // per second; as decoded, at most 2 of them are listened to
	Chunks               []AudioChunk
	Models               []Model // in the order of AudioModels, the ensemble last
	Status               Status  // the ensemble's
	Score                *float64
	Reasons              []Reason          // why there is no score, for NOT_APPLICABLE and UNABLE_TO_EVALUATE
	Languages            []string          // nil: these analysers hear no words
	Conclusions          map[string]string // a sentence by model name
}

// AudioChunk is a stretch of a recording with the scores that the models gave it.
type AudioChunk struct {
	Start, End float64             // seconds
	Scores     map[string]*float64 // by model, strictly between 0 and 100; nil: no score
	Decision   string              // the ensemble's: ARTIFICIAL or AUTHENTIC; "" without a score
}

// audioChunkSeconds is the length of a chunk. What is left at the end is a chunk
// of its own from audioShortestChunk on, and part of the last one otherwise.
const (
	audioChunkSeconds  = 3.0
	audioShortestChunk = 1.0
)

// audioChunks cuts a duration into chunks without scores.
func audioChunks(duration float64) []AudioChunk {
	var chunks []AudioChunk
	for start := 0.0; start < duration; start += audioChunkSeconds {
		end := min(start+audioChunkSeconds, duration)
		if n := len(chunks); n > 0 && end-start < audioShortestChunk {
			chunks[n-1].End = end
			break
		}
		chunks = append(chunks, AudioChunk{Start: start, End: end, Scores: map[string]*float64{}})
	}
	return chunks
}
