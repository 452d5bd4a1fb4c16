package registry

import (
	"context"
	"errors"
	"log/slog"
	"slices"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/timestamppb"

	registryv1 "github.com/homecircle/caregiver-registry/gen/registryv1"
	"github.com/homecircle/caregiver-registry/internal/talent"
)

type Reputation interface {
	Person(ctx context.Context, wallet string) (*talent.Person, error)
	Credentials(ctx context.Context, id int64) ([]talent.Credential, error)
}

type Service struct {
	registryv1.UnimplementedRegistryServer
	rep      Reputation
	log      *slog.Logger
	minScore float64
}

func New(rep Reputation, log *slog.Logger, minScore float64) *Service {
	return &Service{rep: rep, log: log, minScore: minScore}
}

func (s *Service) GetCaregiver(ctx context.Context, in *registryv1.GetCaregiverRequest) (*registryv1.Caregiver, error) {
	person, err := s.rep.Person(ctx, in.GetWallet())
	if errors.Is(err, talent.ErrNotFound) {
		return nil, status.Error(codes.NotFound, "unknown caregiver")
	}
	if err != nil {
		s.log.ErrorContext(ctx, "lookup", "err", err)
		return nil, status.Error(codes.Unavailable, "reputation lookup failed")
	}
	if person.Calculating {
		return nil, status.Error(codes.FailedPrecondition, "score in progress")
	}
	if person.Score < s.minScore || person.Identity == 0 {
		return nil, status.Error(codes.PermissionDenied, "below the bar of the registry")
	}
	if !slices.Contains(person.Wallets, in.GetWallet()) {
		s.log.WarnContext(ctx, "wallet is not verified", "passport", person.ID)
	}

	out := toProto(person)
	creds, err := s.rep.Credentials(ctx, person.ID)
	if err != nil {
		s.log.WarnContext(ctx, "credentials", "err", err)
		return out, nil
	}
	for _, c := range creds {
		if c.Category != "Identity" || c.MaxScore == 0 {
			continue
		}
		out.References = append(out.References, &registryv1.Reference{
			Name:  c.Name,
			Share: c.Score / c.MaxScore,
		})
	}
	return out, nil
}

func toProto(p *talent.Person) *registryv1.Caregiver {
	cg := &registryv1.Caregiver{
		PassportId:     p.ID,
		DisplayName:    p.Profile.DisplayName,
		Score:          p.Score,
		HumanCheckmark: p.Human,
	}
	if loc := p.Profile.Location; loc != "" {
		cg.DisplayName += " (" + loc + ")"
	}
	if p.CalcAt != nil {
		cg.CheckedAt = timestamppb.New(*p.CalcAt)
	}
	for _, s := range p.Socials {
		if s.Source == "linkedin" && s.URL != "" {
			cg.Links = append(cg.Links, s.URL)
		}
	}
	return cg
}
