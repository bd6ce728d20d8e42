package store

import (
	"context"

	"assay/client"
	"assay/client/bounded"
)

// Voice returns the result of a clip's sound, by the clip's request ID; nil where it isn't known.
func (s *Store) Voice(ctx context.Context, requestID string) (voice *client.Result, err error) {
	var raw []byte
	_, err = s.readers.one(ctx, []any{&raw}, "SELECT a.voice FROM submissions s CROSS JOIN answers a ON a.seq = s.answer "+ofRequest, requestID)
	if err == nil && raw != nil {
		voice, err = readResult(raw)
	}
	return voice, s.read("read what the service says of the voice", err)
}

// ofRequest is the condition for the submissions with an answer to a request ID, most of the time one.
const ofRequest = "WHERE s.request_id = ? AND s.request_id <> '' AND s.earlier = ''"

// AnswerVoice keeps the final result of a clip's sound beside the clip's answer, by the clip's request ID, in the form in which Answer keeps that. It does
// nothing where no such clip is answered.
func (s *Store) AnswerVoice(ctx context.Context, requestID string, voice *client.Result) error {
	return s.join(ctx, "keep what the service says of the voice", func(ctx context.Context, t *transaction) error {
		raw, _, err := keptOf(voice)
		if err != nil {
			return err
		}
		var ids []string
		if err := t.each(ctx, func(row scanner) error {
			var id string
			err := row.Scan(&id)
			ids = append(ids, id)
			return err
		}, "SELECT s.id FROM submissions s "+ofRequest+" AND s.answer IS NOT NULL", requestID); err != nil {
			return err
		}
		for _, id := range ids {
			if err := t.answerVoice(ctx, id, raw, voice); err != nil {
				return err
			}
		}
		return nil
	})
}

func (t *transaction) answerVoice(ctx context.Context, id string, raw []byte, voice *client.Result) error {
	sub, _, err := getBy(ctx, t.connection, "WHERE s.id = ?", id)
	if err != nil {
		return err
	}
	if _, err := t.touchByID(ctx, id, &sub.Key); err != nil {
		return err
	}
	t.results, t.relist = true, true
	if _, err := t.exec(ctx, "UPDATE answers SET voice = ? WHERE seq = (SELECT answer FROM submissions WHERE key = ?)", raw, sub.Key); err != nil {
		return err
	}
	sub.Result.Voice = voice
	if _, err := t.exec(ctx, "UPDATE submissions SET voice_status = ?, voice_differs = ? WHERE key = ?",
		string(voice.FiledStatus()), sub.Result.VoiceDiffers(), sub.Key); err != nil {
		return err
	}
	return t.each(ctx, func(row scanner) error { // and those that show this answer as their own
		var id string
		err := row.Scan(&id)
		t.shown = append(t.shown, id)
		return err
	}, "SELECT id FROM submissions WHERE key = ?1 OR earlier = ?2 AND earlier <> ''", sub.Key, id)
}

// voicesFiled is the name of the fact that all answers on voices are kept beside those on their clips.
const voicesFiled = "voices filed"

// fileVoices keeps beside the clips' answers, once, the results of their sounds that an earlier version had in the vault alone. Those that can't be read
// are left alone: they are fetched again when somebody opens the clip.
func (s *Store) fileVoices() error {
	if filed, err := s.Fact(s.ctx, voicesFiled); err != nil || filed != "" {
		return err
	}
	kept, err := s.artifacts(s.ctx, "WHERE kind = 'audio-result'")
	if err != nil {
		return err
	}
	for _, a := range kept {
		if voice := s.voiceInVault(a); voice != nil {
			if err := s.AnswerVoice(s.ctx, a.RequestID, voice); err != nil {
				return err
			}
		}
	}
	return s.SetFact(s.ctx, voicesFiled, "yes")
}

// voiceInVault is the final result of a sound that the vault has; nil where it can't be had.
func (s *Store) voiceInVault(a Artifact) *client.Result {
	file, _, err := s.Artifact(s.ctx, a.RequestID, a.Kind, a.Model)
	if err != nil {
		return nil
	}
	defer file.Close() //nolint:errcheck // only read from
	raw, err := bounded.ReadAll(file, a.Size)
	if err != nil {
		return nil
	}
	voice, err := readResult(raw)
	if err != nil || !voice.Final() {
		return nil
	}
	return voice
}
