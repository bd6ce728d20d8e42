package client

import "strings"

// Contradictory is the status under which lists file an answer that contradicts itself. No service sends it.
const Contradictory Status = "contradictory"

// Claimant is a part of an answer that says something of the whole.
type Claimant string

// The claimants.
const (
	ClaimOverall  Claimant = "overall"  // overallStatus
	ClaimSummary  Claimant = "summary"  // resultsSummary.status
	ClaimEnsemble Claimant = "ensemble" // an ensemble model
	ClaimModels   Claimant = "models"   // single models
	ClaimError    Claimant = "error"    // resultsSummary.error
	ClaimLink     Claimant = "link"     // socialLinkDownloadFailed
)

// Claim is what one part of an answer says of the whole.
type Claim struct {
	By      Claimant
	Status  Status   // as sent, "" where it says something other than a status
	Model   *Model   // the ensemble's
	Count   int      // how many single models say so
	Failure *Failure // the error
}

// Contradiction lists what the parts of a final answer say of the whole, if they contradict each other; nil if they do not. It compares statuses and
// never scores, which would need a threshold. Single models may differ from the ensemble.
func (r *Result) Contradiction() []Claim {
	if !r.Final() {
		return nil
	}
	status := r.Status()
	var claims []Claim
	if r.OverallStatus != "" {
		claims = append(claims, Claim{By: ClaimOverall, Status: r.OverallStatus})
	}
	contradicts := false
	if s := r.ResultsSummary; s != nil && s.Status != "" {
		claims = append(claims, Claim{By: ClaimSummary, Status: s.Status})
		contradicts = s.Status.Terminal() && s.Status != status
	}
	ensembles, opposed := r.ensembleClaims(status)
	others := r.otherClaims(status)
	if !contradicts && !opposed && len(others) == 0 {
		return nil
	}
	return append(append(claims, ensembles...), others...)
}

// ensembleClaims are what the ensemble models with a verdict say; opposed reports whether none of them says what the answer's status says. A clip may
// have one ensemble for its pictures and one for its sound, so that one of several is enough.
func (r *Result) ensembleClaims(status Status) (claims []Claim, opposed bool) {
	agree := 0
	for i := range r.Models {
		m := &r.Models[i]
		if !m.Status.Terminal() || m.Status == NotApplicable || !m.IsEnsemble() {
			continue
		}
		claims = append(claims, Claim{By: ClaimEnsemble, Status: m.Status, Model: m})
		if m.Status == status {
			agree++
		}
		opposed = opposed || m.DecisionOpposed()
	}
	enough := len(claims)
	if r.MediaType == Video {
		enough = min(enough, 1)
	}
	return claims, opposed || agree < enough
}

// otherClaims are what other parts of an answer say against its status.
func (r *Result) otherClaims(status Status) (claims []Claim) {
	judged := status == Authentic || status == Fake || status == Suspicious
	if status == NotApplicable {
		flagged := 0
		for _, m := range r.Models {
			if m.Status == Fake && m.Applies() && !m.IsEnsemble() {
				flagged++
			}
		}
		if flagged > 0 {
			claims = append(claims, Claim{By: ClaimModels, Status: Fake, Count: flagged})
		}
	}
	if s := r.ResultsSummary; judged && s != nil && s.Failure != nil && *s.Failure != (Failure{}) {
		claims = append(claims, Claim{By: ClaimError, Failure: s.Failure})
	}
	if judged && r.SocialLink != "" && bool(r.SocialLinkFailed) && !bool(r.SocialLinkDownloaded) {
		claims = append(claims, Claim{By: ClaimLink})
	}
	return claims
}

// FiledStatus is the status under which lists file an answer: its own, or Contradictory.
func (r *Result) FiledStatus() Status {
	if r.Contradiction() != nil {
		return Contradictory
	}
	return r.Status()
}

// VoiceDiffers reports whether the sound of a clip was judged otherwise than its picture, so that a human must look. A voice that could not be judged
// says nothing against the picture.
func (r *Result) VoiceDiffers() bool {
	if r.Voice == nil {
		return false
	}
	picture, voice := r.FiledStatus(), r.Voice.FiledStatus()
	switch voice {
	case Fake, Suspicious, Contradictory:
		return voice != picture
	}
	return voice == Authentic && picture == Fake
}

// DecisionOpposed reports whether the model's own decision is the opposite of its status.
func (m Model) DecisionOpposed() bool {
	if m.Status != Fake && m.Status != Authentic {
		return false
	}
	switch decision := Status(strings.ToUpper(m.Decision().Verbatim())); decision {
	case "ARTIFICIAL", Fake:
		return m.Status == Authentic
	case Authentic:
		return m.Status == Fake
	}
	return false
}
