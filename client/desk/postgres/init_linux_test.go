package postgres_test

import (
	"testing"

	"assay/client/assert"
	"assay/client/desk/postgres"
	"assay/client/desk/postgres/desktest"
	"assay/client/i18n"
)

func TestInit(t *testing.T) {
	t.Run("members log in, and see who else there is", func(t *testing.T) {
		f := setup(t)
		var n int
		assert.NoError(t, f.Login(f.name("reader")).QueryRow(t.Context(), "SELECT count(*) FROM desk.members").Scan(&n))
		assert.Equal(t, 4, n)
	})
	t.Run("again changes nothing but what is asked", func(t *testing.T) {
		f := setup(t)
		assert.NoError(t, postgres.Init(t.Context(), f.address(f.Owner), desktest.Password, []postgres.NewMember{{Name: f.name("reader"), Role: postgres.Editor}}))
		var role postgres.Role
		assert.NoError(t, f.Login(f.name("reader")).QueryRow(t.Context(), "SELECT role FROM desk.members WHERE name = session_user").Scan(&role))
		assert.Equal(t, postgres.Editor, role)
	})
	t.Run("whoever sets it up is told what to do", func(t *testing.T) {
		f := setup(t)
		nowhere := *f.Database
		nowhere.Name = "no_such_database"
		for name, c := range map[string]struct {
			err  error
			want string
		}{
			"a new login without a password": {
				postgres.Init(t.Context(), f.address(f.Owner), desktest.Password, []postgres.NewMember{{Name: f.name("pia"), Role: postgres.Editor}}),
				f.name("pia") + " has no login yet, and so needs a password.",
			},
			"somebody who is no member": {postgres.Revoke(t.Context(), f.address(f.Owner), desktest.Password, f.name("nobody")), f.name("nobody") + " is not a member of the desk."},
			"another password":          {postgres.Init(t.Context(), f.address(f.Owner), "another", nil), "The database does not accept this login and password."},
			"no database":               {postgres.Init(t.Context(), (&fixture{&nowhere, t}).address(f.Owner), desktest.Password, nil), "There is no such database, or no desk in it. Make the database first, then run assay desk init."},
			"a member's login": {
				postgres.Revoke(t.Context(), f.address(f.name("admin")), desktest.Password, f.name("reader")),
				"This login may not do that. Use the one that owns the database and may create roles.",
			},
		} {
			if got := i18n.Sentence(c.err); got != c.want {
				t.Errorf("%s: %q: %v", name, got, c.err)
			}
		}
		var there bool
		assert.NoError(t, f.Login(f.Owner).QueryRow(t.Context(), "SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1)", f.name("pia")).Scan(&there))
		assert.True(t, !there, "a login without a password was made")
	})
}

func TestWhoMayNotConnectIsNotToldOfThePassword(t *testing.T) {
	f := setup(t)
	_, err := f.Login(f.Owner).Exec(t.Context(), "ALTER ROLE "+f.name("reader")+" NOLOGIN")
	assert.NoError(t, err)
	_, err = postgres.Connect(t.Context(), f.address(f.name("reader")), desktest.Password)
	wantCause(t, err, postgres.ShutOut)
	_, err = postgres.Connect(t.Context(), f.address(f.name("editor")), "another")
	wantCause(t, err, postgres.NotLetIn)
}
