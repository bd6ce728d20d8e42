package bundle

import (
	"assay/client/i18n"
	"assay/client/plain"
)

// Headline is what a verification has found, in a sentence. It never says that what is in a bundle is true, or by whom it was made.
func (v *Verification) Headline() string {
	switch v.State {
	case Intact:
		if v.Seal.Own {
			return i18n.T("Intact: nothing was changed since you sealed it.")
		}
		return i18n.F("Intact: nothing was changed since %s sealed it.", v.Seal.Signer.Clip(longestSigner))
	case UnknownSigner:
		return i18n.T("Intact, but the signer is not known to you.")
	case Unsealed:
		return i18n.T("Intact, but not sealed: anyone could have made it again.")
	case Unread:
		return i18n.T("Not everything could be read, so Assay can't say whether it is intact.")
	case Newer:
		return i18n.T("A newer version of Assay made it: update Assay to verify it.")
	}
	return i18n.T("Changed since it was made.")
}

// longestSigner is how many characters of a signer's name are shown in a sentence.
const longestSigner = 80

// Details are what else there is to say, a sentence each, beside the findings and the fingerprint.
func (v *Verification) Details() (lines []string) {
	if v.State == UnknownSigner {
		lines = append(lines, i18n.T("Anyone can seal a bundle. Ask the person who gave it to you for the fingerprint of their key, and compare it. Ask in another way than the bundle came by."))
	}
	if v.Seal != nil && v.State.Intact() && len(v.Stamps) == 0 {
		lines = append(lines, i18n.T("It has no time stamp. Only the computer that sealed it says when that was."))
	}
	for _, s := range v.Stamps {
		lines = append(lines, s.sentence())
	}
	if v.State.Intact() && v.Proofs > 0 {
		lines = append(lines, i18n.N(v.Proofs, "%s entry is proved to be in the custody log.", "%s entries are proved to be in the custody log."))
	}
	if v.State.Intact() && v.Unproved > 0 {
		lines = append(lines, i18n.N(v.Unproved, "%s entry of the custody log has no proof: the log was not signed when the bundle was made.",
			"%s entries of the custody log have no proof: the log was not signed when the bundle was made."))
	}
	if v.State.Intact() {
		for _, s := range v.SignOffs {
			lines = append(lines, s.sentence())
		}
	}
	if v.Sandbox {
		lines = append(lines, i18n.T("Its results come from the sandbox, which is not a deepfake detector."))
	}
	if v.State.Intact() {
		lines = append(lines, i18n.T("Intact says that nothing was changed, not that what is in it is true."))
	}
	return lines
}

// Facts are what the bundle says of itself, as labels and values.
func (v *Verification) Facts() (facts [][2]string) {
	add := func(label string, value plain.Text) {
		if !value.IsZero() {
			facts = append(facts, [2]string{label, value.Folded().Clip(longestFact).String()})
		}
	}
	add(i18n.T("Made"), v.Made)
	add(i18n.T("Case or request ID"), v.Identifier)
	add(i18n.T("Version of Assay"), v.Version)
	if v.Files > 0 {
		facts = append(facts, [2]string{i18n.T("Content"), i18n.N(v.Files, "%s file, %[2]s", "%s files, %[2]s", i18n.Size(v.Bytes))})
	}
	return facts
}

// longestFact is how many characters are shown of what a bundle says of itself.
const longestFact = 200

func (s Stamp) sentence() string {
	at, authority := i18n.Moment(s.At.Local()), s.Authority.Clip(longestSigner)
	if s.Trusted {
		return i18n.F("It existed on %s, according to the time stamp of %s, which this system trusts.", at, authority)
	}
	return i18n.F("It existed on %s, according to the time stamp of %s, which this system does not know.", at, authority)
}

// MoreFindings says how many findings are not listed; "" for none.
func (v *Verification) MoreFindings() string {
	if v.More == 0 {
		return ""
	}
	return i18n.N(v.More, "%s more place was changed.", "%s more places were changed.")
}

// Sentence is a finding in words.
func (f Finding) Sentence() string {
	path := f.Path
	switch f.Change {
	case FileChanged:
		return i18n.F("%s was changed.", path)
	case FileMissing:
		return i18n.F("%s is missing.", path)
	case FileAdded:
		return i18n.F("%s was added.", path)
	case FileRenamed:
		return i18n.F("%s was renamed to %s.", f.Was, path)
	case FileUnread:
		return i18n.F("%s can't be read.", path)
	case NoFile:
		return i18n.F("%s is not an ordinary file and was not read.", path)
	case NameRefused:
		return i18n.F("No bundle has a file named %s. It was not read.", path)
	case NameTwice:
		return i18n.F("%s is there twice, or differs from another name only by capitals or accents. It was not read.", path)
	case ListChanged:
		return i18n.F("%s is not as Assay writes it.", path)
	case CountChanged:
		return i18n.F("%s does not match the number or size of the files.", path)
	case ZipChanged:
		return i18n.T("The .zip itself was packed again, or changed around its files. Unpack it, and verify the folder: that says whether a file was changed.")
	case SealChanged:
		return i18n.F("The seal does not match: %s.", path)
	case StampChanged:
		return i18n.F("The time stamp does not match: %s.", path)
	case ProofChanged:
		return i18n.F("%s does not match the custody log, or does not prove it.", path)
	case SignatureForeign:
		return i18n.F("%s is not what a colleague's computer signed.", path)
	case AnswerForeign:
		return i18n.F("%s is not the answer that the report or the custody log names.", path)
	case MediaForeign:
		return i18n.F("%s is not the file that the report names.", path)
	case ReportUnread:
		return i18n.F("%s is not a report by Assay.", path)
	}
	return i18n.F("%s was changed.", path)
}

// Sentence is the error for the person.
func (e *ReadError) Sentence() string {
	switch e.Problem {
	case NotThere:
		return i18n.T("There is no such file or folder.")
	case NoBundle:
		return i18n.T("This is not an evidence bundle by Assay.")
	case Damaged:
		return i18n.T("The .zip is damaged or incomplete, so Assay can't say anything about it.")
	case TooLarge:
		return i18n.T("It is too large for a bundle and was not read.")
	}
	return i18n.T("It can't be read. Check that you may read it, and that its disk is connected.")
}
