package postgres_test

import (
	"errors"
	"testing"

	"assay/client/assert"
	"assay/client/desk/postgres"
)

func TestAddressFromItsParts(t *testing.T) {
	whole := postgres.Parts{Server: "postgres://desk.example:5433/assay", Login: "inês", Authority: "/etc/ca & co.pem", Certificate: "/home/i/own.pem", Key: "/home/i/own.key"}
	t.Run("all of it comes back", func(t *testing.T) {
		at, err := whole.Address()
		assert.NoError(t, err)
		assert.Equal(t, "inês", at.Login())
		assert.Equal(t, whole, postgres.PartsOf(at.String()))
	})
	for name, c := range map[string]struct {
		parts postgres.Parts
		want  string
		err   error
	}{
		"all in one field":                   {postgres.Parts{Server: " postgres://ines@desk.example/assay "}, "postgres://ines@desk.example/assay?sslmode=verify-full", nil},
		"without what an address begins":     {postgres.Parts{Server: "desk.example/assay", Login: "ines "}, "postgres://ines@desk.example/assay?sslmode=verify-full", nil},
		"the name of its field goes":         {postgres.Parts{Server: "postgres://rui@desk.example/assay", Login: "ines"}, "postgres://ines@desk.example/assay?sslmode=verify-full", nil},
		"on this computer":                   {postgres.Parts{Server: "postgres://localhost/assay?sslmode=disable", Login: "ines"}, "postgres://ines@localhost/assay?sslmode=disable", nil},
		"nobody's name":                      {postgres.Parts{Server: "postgres://desk.example/assay"}, "", postgres.ErrNoLogin},
		"nothing":                            {postgres.Parts{Login: "ines"}, "", postgres.ErrAddress},
		"no database":                        {postgres.Parts{Server: "postgres://desk.example", Login: "ines"}, "", postgres.ErrAddress},
		"a page of the web":                  {postgres.Parts{Server: "https://desk.example/assay", Login: "ines"}, "", postgres.ErrAddress},
		"a password after the question mark": {postgres.Parts{Server: "postgres://desk.example/assay?password=secret", Login: "ines"}, "", postgres.ErrPasswordInAddress}, //nolint:gosec // likewise
		"what Assay does not take from it":   {postgres.Parts{Server: "postgres://desk.example/assay?options=-crole%3Dadmin", Login: "ines"}, "", postgres.ErrSetting},
		"a password":                         {postgres.Parts{Server: "postgres://ines:secret@desk.example/assay", Login: "ines"}, "", postgres.ErrPasswordInAddress}, //nolint:gosec // the password is nobody's
		"not encrypted over the network":     {postgres.Parts{Server: "postgres://desk.example/assay?sslmode=disable", Login: "ines"}, "", postgres.ErrUnencrypted},
		"a server that need not prove it":    {postgres.Parts{Server: "postgres://desk.example/assay?sslmode=require", Login: "ines"}, "", postgres.ErrUnencrypted},
		"a place for files":                  {postgres.Parts{Server: "postgres://desk.example/assay?files=/mnt/desk", Login: "ines"}, "postgres://ines@desk.example/assay?files=%2Fmnt%2Fdesk&sslmode=verify-full", nil},
		"a place that leads anywhere":        {postgres.Parts{Server: "postgres://desk.example/assay?files=desk", Login: "ines"}, "", postgres.ErrFiles},
		"no place, but its name":             {postgres.Parts{Server: "postgres://desk.example/assay?files=", Login: "ines"}, "", postgres.ErrFiles},
	} {
		t.Run(name, func(t *testing.T) {
			at, err := c.parts.Address()
			if err != c.err { //nolint:errorlint // it is one of them, or nil
				t.Fatal(err)
			}
			assert.Equal(t, c.want, at.String())
		})
	}
	t.Run("a password stays where it is refused, and is shown nowhere else", func(t *testing.T) {
		text := "postgres://ines:secret@desk.example/assay" //nolint:gosec // likewise
		assert.Equal(t, postgres.Parts{Server: text}, postgres.PartsOf(text))
	})
}

func TestACertificateThatIsNotThereIsSaid(t *testing.T) {
	at, err := postgres.ParseAddress("postgres://ines@desk.example/assay?sslrootcert=/no/such/file.pem")
	assert.NoError(t, err)
	_, err = postgres.Connect(t.Context(), at, "x")
	var p *postgres.Problem
	if !errors.As(err, &p) || p.Cause != postgres.NoCertificate {
		t.Error(err)
	}
}
