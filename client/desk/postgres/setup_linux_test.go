package postgres_test

import (
	"os"
	"testing"

	"assay/client/assert"
	"assay/client/desk/postgres"
	"assay/client/desk/postgres/desktest"
)

var cluster *desktest.Cluster

func TestMain(m *testing.M) {
	os.Exit(desktest.Run(m, func(c *desktest.Cluster) { cluster = c })) //nolint:forbidigo // only so does a package's TestMain end
}

// fixture is a desk with a member of each role, whose login has the role's name and the database's.
type fixture struct {
	*desktest.Database
	t testing.TB
}

func setup(t testing.TB) *fixture {
	t.Helper()
	f := &fixture{cluster.NewDatabase(t), t}
	var members []postgres.NewMember
	for _, role := range postgres.Roles {
		members = append(members, postgres.NewMember{Name: f.name(string(role)), Role: role, Password: desktest.Password})
	}
	assert.NoError(t, postgres.Init(t.Context(), f.address(f.Owner), desktest.Password, members))
	return f
}

// name is a login of this database alone: roles are of the whole cluster.
func (f *fixture) name(of string) string { return of + "_of_" + f.Name }

func (f *fixture) address(login string) postgres.Address {
	f.t.Helper()
	a, err := postgres.ParseAddress(f.URL(login))
	assert.NoError(f.t, err)
	return a
}
