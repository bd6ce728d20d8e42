package bundle

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"strings"

	"assay/client"
	"assay/client/bounded"
	"assay/client/custody"
	"assay/client/i18n"
	"assay/client/plain"
	"assay/client/report"
	"assay/client/vault"
)

// reports writes the reports.
func (w *writer) reports() error {
	for _, ending := range []string{".html", ".pdf", ".json"} {
		if ending == ".pdf" && len(w.items) > report.MostInPDF {
			w.lacks(i18n.F("There is no report.pdf: a PDF holds at most %s results. report.html has all of them.", i18n.Count(report.MostInPDF)))
			continue
		}
		if err := w.addBuffered(ReportName+ending, func(out io.Writer) error {
			return report.Render(w.ctx, out, ending, w.o.Options, w.results())
		}); err != nil {
			return err
		}
	}
	return nil
}

// mediaFiles writes the files that were asked for, as far as they are still the same. They come first: what is then known of them needs not be read again
// for the reports.
func (w *writer) mediaFiles() error {
	for _, it := range w.items {
		for _, f := range it.files {
			done, err := w.mediaFile(it, f)
			if err != nil {
				return err
			}
			if !done {
				w.lacksFile(it, f)
			}
		}
	}
	return nil
}

// lacksFile says that a file can't be had.
func (w *writer) lacksFile(it *item, f mediaFile) {
	switch {
	case f.word == "sent":
		w.lacks(i18n.F("%s: what was sent is not in the bundle, because this computer has no unchanged copy of it.", it.label()))
	case it.sub.Link != "":
		w.lacks(i18n.F("%s: it was added as a link, so there is no file as received.", it.label()))
	case it.sub.Path == "":
		w.lacks(i18n.F("%s: it was sent from elsewhere, so there is no file as received.", it.label()))
	default:
		w.lacks(i18n.F("%s: the file is not in the bundle as it was received, because it is gone or was changed since. Its hash is in the reports.", it.label()))
	}
}

// mediaFile writes one file: the person's own, or the vault's copy. done is false where there is none with the hash.
func (w *writer) mediaFile(it *item, f mediaFile) (done bool, err error) {
	if f.path != "" && f.sha256 != "" && !w.changed[f.sha256] {
		if file, err := bounded.Open(f.path); err == nil {
			defer file.Close() //nolint:errcheck // only read from
			if done, err := w.copyOf(it.mediaName(f), file, f.sha256, f.size); done || err != nil {
				return done, err
			}
		}
	}
	if !f.original {
		return false, nil
	}
	file, _, err := w.Records.Artifact(w.ctx, it.sub.RequestID, vault.Original, "")
	if err != nil {
		return false, missing(w.ctx.Err(), err)
	}
	defer file.Close() //nolint:errcheck // only read from
	return w.copyOf(it.mediaName(f), file, f.sha256, f.size)
}

// missing is the error of an artifact that can't be opened: nil where it is only missing.
func missing(ended, err error) error {
	if ended != nil {
		return ended
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// copyOf copies a file whose hash must be this one. Where its size says already that it is another one, done is false, and nothing was written. Where
// that shows only at the end, the error is a *changedFile.
func (w *writer) copyOf(name string, file *os.File, hash string, size int64) (done bool, err error) {
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() != size {
		return false, nil //nolint:nilerr // it can't be had
	}
	remember := w.o.Hashes.Reading(file)
	e, err := w.addCopy(name, file)
	var unread *unreadable
	if errors.As(err, &unread) || err == nil && e.sha256 != hash {
		return false, &changedFile{hash}
	}
	if err != nil {
		return false, err
	}
	remember(hash)
	return true, nil
}

// artifacts writes the vault's copies.
func (w *writer) artifacts() error {
	for _, it := range w.items {
		for _, a := range it.artifacts {
			done, err := w.artifact(it, a)
			if err != nil {
				return err
			}
			if !done {
				w.lacks(i18n.F("%s: the copy of an artifact (%s) was damaged and is not in the bundle.", it.label(), strings.TrimSpace(a.Kind+" "+plain.From(a.Model).String())))
			}
		}
	}
	return nil
}

func (w *writer) artifact(it *item, a artifact) (done bool, err error) {
	if w.changed[a.SHA256] {
		return false, nil
	}
	file, _, err := w.Records.Artifact(w.ctx, a.RequestID, a.Kind, a.Model)
	if err != nil {
		return false, missing(w.ctx.Err(), err)
	}
	defer file.Close() //nolint:errcheck // only read from
	var parts []string
	if a.sound {
		parts = append(parts, "sound")
	}
	parts = append(parts, a.Kind)
	if a.Model != "" {
		parts = append(parts, safeName(a.Model))
	}
	name := ArtifactsFolder + it.named(parts...)
	switch {
	case isData(a.Kind):
		data, err := bounded.ReadUpTo(file, client.MaxAggregation)
		if err != nil {
			return false, nil //nolint:nilerr // it can't be had
		}
		w.copied(int64(len(data)))
		if clean := client.Shareable(data); clean != nil {
			data = clean // without the queries of its links, by which files could be read
		}
		return true, w.addText(name+".json", data)
	case a.Kind == vault.Explainability:
		name += ".html.txt" // a page from outside, which may hold scripts: no program opens it as a page
	default:
		name += sniffed(file)
	}
	return w.copyOf(name, file, a.SHA256, a.Size)
}

// endings are extensions by what http.DetectContentType says.
var endings = map[string]string{
	"image/png": ".png", "image/jpeg": ".jpg", "image/webp": ".webp", "image/gif": ".gif", "video/mp4": ".mp4", "video/webm": ".webm",
	"audio/mpeg": ".mp3", "audio/wave": ".wav", "application/ogg": ".ogg",
}

// sniffed is the extension of a file by its first bytes, ".bin" for one that is not known. The file is at its start afterwards.
func sniffed(file *os.File) string {
	start := make([]byte, 512)
	n, _ := io.ReadFull(file, start)
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return ".bin"
	}
	return cmp.Or(endings[http.DetectContentType(start[:n])], ".bin")
}

// answers writes all answers, the one of the report last, with the hashes that they had when they were received.
func (w *writer) answers() error {
	for _, it := range w.items {
		if it.hidesAnswer() {
			w.lacks(i18n.F("%s: its answers are not in the bundle, because they contain the name it was sent with.", it.label()))
			continue
		}
		history, err := w.Records.History(w.ctx, it.sub.ID)
		if err != nil {
			return err
		}
		entries, err := w.Records.Custody(w.ctx, it.sub.ID)
		if err != nil {
			return err
		}
		received := map[string]string{}
		for _, e := range entries {
			if sums := e.Sums(); e.Event == custody.Answered && sums.Received != "" {
				received[sums.Kept] = sums.Received
			}
		}
		for i, change := range history {
			answer, ok, err := w.Records.EarlierAnswer(w.ctx, it.sub.ID, change.RawSHA256)
			if err != nil {
				return err
			}
			if !ok {
				continue // it was replaced a moment ago
			}
			name := fmt.Sprintf("%s%d-%d", AnswersFolder, it.n, i+1)
			if i == len(history)-1 {
				name = fmt.Sprintf("%s%d", AnswersFolder, it.n)
			}
			if !bytes.Equal(client.Shareable(answer.Raw), answer.Raw) { // of a version that kept the queries
				w.lacks(i18n.F("%s: an answer contains signed links and is not in the bundle as a file. The reports have it without them.", it.label()))
				continue
			}
			if err := w.addText(name+AnswerEnding, answer.Raw); err != nil {
				return err
			}
			if sum := received[change.RawSHA256]; sum != "" {
				if err := w.addText(name+ReceivedEnding, []byte(sum+"\n")); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// custody writes the entries of the custody log, each with the bytes that were hashed and the proof that it is in the log.
func (w *writer) custody() error {
	log, key, err := w.Records.CustodyKey(w.ctx)
	if err != nil {
		return err
	}
	if w.unsigned != "" {
		w.lacks(i18n.F("The custody log could not be signed, so not all of its entries are proved. %s", w.unsigned))
	}
	if key != nil {
		line, err := custody.VerifierKey(log, key)
		if err != nil {
			return err
		}
		if err := w.addText(LogKeyFile, []byte(line+"\n")); err != nil {
			return err
		}
	}
	var lines bytes.Buffer
	for _, it := range w.items {
		if it.neutral {
			w.lacks(i18n.F("%s: its entries of the custody log are not in the bundle, because they contain the file's name.", it.label()))
			continue
		}
		entries, err := w.Records.Custody(w.ctx, it.sub.ID)
		if err != nil {
			return err
		}
		for _, e := range entries {
			proof, ok, err := w.Records.ProveEntry(w.ctx, e.Seq)
			if err != nil {
				return err
			}
			if !ok && key != nil && w.unsigned == "" {
				continue // it was written after the log was signed for this bundle
			}
			line, err := json.Marshal(e)
			if err == nil {
				line, err = plain.JSONLine(line)
			}
			if err != nil {
				return fmt.Errorf("write an entry of the custody log: %w", err)
			}
			lines.Write(append(line, '\n'))
			name := fmt.Sprintf("%s%d", CustodyFolder, e.Seq)
			if err := w.addText(name+EntryEnding, e.Text()); err != nil {
				return err
			}
			if !ok {
				continue
			}
			if proof.Verify(e.Text(), log, key) != nil {
				w.lacks(i18n.T("The custody log was changed outside Assay: assay verify --log says where."))
				continue
			}
			if err := w.addText(name+ProofEnding, proof.Marshal()); err != nil {
				return err
			}
			w.proved = true
		}
	}
	return w.addText(EntriesFile, lines.Bytes())
}
