package trust

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/mock"
	"github.com/stretchr/testify/require"

	"parcelpool.dev/trust/internal/talentv1"
)

type mockReputation struct{ mock.Mock }

func (m *mockReputation) Lookup(ctx context.Context, wallet string) (*talentv1.Record, error) {
	args := m.Called(wallet)
	rec, _ := args.Get(0).(*talentv1.Record)
	return rec, args.Error(1)
}

func (m *mockReputation) Credentials(ctx context.Context, id int) ([]talentv1.Credential, error) {
	args := m.Called(id)
	creds, _ := args.Get(0).([]talentv1.Credential)
	return creds, args.Error(1)
}

func carrier() *talentv1.Record {
	return &talentv1.Record{
		PassportID: 11, Score: 70, IdentityScore: 14, HumanCheckmark: true,
		MainWallet: "0xAA", Profile: talentv1.Profile{DisplayName: "Jo"},
	}
}

func TestInsured(t *testing.T) {
	rep := new(mockReputation)
	rep.On("Lookup", "0xaa").Return(carrier(), nil)
	rep.On("Credentials", 11).Return([]talentv1.Credential{{Type: "active_wallet", Category: "Activity", Score: 5}}, nil)

	v := NewService(rep, 40).Judge(context.Background(), "0xaa")
	assert.Equal(t, TierInsure, v.Tier)
	assert.Equal(t, 70.0, v.Score)
	rep.AssertExpectations(t)
}

func TestUnknown(t *testing.T) {
	rep := new(mockReputation)
	rep.On("Lookup", "0xbb").Return(nil, errors.New("status 404"))
	assert.Equal(t, TierNone, NewService(rep, 40).Judge(context.Background(), "0xbb").Tier)
}

func TestCacheServesOldRecord(t *testing.T) {
	rep := new(mockReputation)
	rep.On("Lookup", "0xaa").Return(carrier(), nil).Once()
	rep.On("Lookup", "0xaa").Return(nil, errors.New("status 401"))
	c := NewCached(rep, time.Minute)

	_, err := c.Lookup(context.Background(), "0xaa")
	require.NoError(t, err)
	c.now = func() time.Time { return time.Now().Add(time.Hour) }
	rec, err := c.Lookup(context.Background(), "0xaa")
	require.NoError(t, err)
	assert.Equal(t, 11, rec.PassportID)
}
