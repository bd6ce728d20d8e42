package postgres_test

import (
	"testing"

	"assay/client/assert"
	"assay/client/desk/postgres"
	"assay/client/desk/postgres/desktest"
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
}
