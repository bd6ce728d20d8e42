package verdict

import (
	"slices"

	"assay/client"
	"assay/client/i18n"
	"assay/client/plain"
)

// What is shown of an answer of any size. The rest is counted in a sentence, and stands whole in the raw JSON.
const (
	MostModels    = 100 // in a list or a chart
	mostReasons   = 10
	mostLanguages = 10
)

// foreign makes a text of the service's fit for a line.
func foreign(text plain.Text) string { return text.Folded().Clip(longestName).String() }

// Names are the names of as many models as fit into a sentence, the rest counted.
func Names(models []client.Model) []string {
	names := make([]string, 0, min(len(models), MostModels))
	for _, m := range models {
		if len(names) == MostModels {
			return append(names, AndMore(len(models)-MostModels))
		}
		names = append(names, ModelName(m))
	}
	return names
}

// AndMore counts what is not shown: "and 19,900 more".
func AndMore(n int) string { return i18n.N(n, "and %s more", "and %s more") }

// Foremost are the models that are listed, as many as MostModels: of more, the ensembles first, then those that flagged something,
// each in the order sent. more is how many are left out.
func Foremost(models []client.Model) (listed []client.Model, more int) {
	if len(models) <= MostModels {
		return models, 0
	}
	ranked := make([][]client.Model, 4)
	for _, m := range models {
		if rank := rankOf(m); len(ranked[rank]) < MostModels {
			ranked[rank] = append(ranked[rank], m)
		}
	}
	return slices.Concat(ranked...)[:MostModels], len(models) - MostModels
}

func rankOf(m client.Model) int {
	switch {
	case m.IsEnsemble() && m.Applies():
		return 0
	case m.Status == client.Fake, m.DecisionOpposed():
		return 1
	case m.Status == client.Suspicious:
		return 2
	}
	return 3
}
