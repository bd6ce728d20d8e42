package i18n

import (
	"encoding/json"
	"fmt"
	"path"

	"assay/assets/lang"
)

// entry is one translation, with a form for one where its key is that of N.
type entry struct {
	One   string `json:"one"`
	Other string `json:"other"`
}

// UnmarshalJSON takes a text, or an object of the forms.
func (e *entry) UnmarshalJSON(raw []byte) error {
	if len(raw) > 0 && raw[0] == '"' {
		return json.Unmarshal(raw, &e.Other)
	}
	type forms entry
	return json.Unmarshal(raw, (*forms)(e))
}

// catalogue reads all of a language's files.
func catalogue(language string) (map[string]entry, error) {
	files, err := lang.Files.ReadDir(language)
	if err != nil {
		return nil, fmt.Errorf("language %q: %w", language, err)
	}
	all := map[string]entry{}
	for _, file := range files {
		raw, err := lang.Files.ReadFile(path.Join(language, file.Name()))
		if err == nil {
			err = json.Unmarshal(raw, &all) // adds to what is there
		}
		if err != nil {
			return nil, fmt.Errorf("language %q, %s: %w", language, file.Name(), err)
		}
	}
	return all, nil
}
