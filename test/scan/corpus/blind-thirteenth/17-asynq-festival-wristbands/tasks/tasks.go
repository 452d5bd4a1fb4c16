package tasks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/hibiken/asynq"
	"github.com/jackc/pgx/v5/pgxpool"

	"gitlab.com/nordlys/wristbands/crew"
)

const (
	TypeLookup = "crew:lookup"
	TypeEncode = "wristband:encode"
)

type LookupPayload struct {
	SignupID int64  `json:"signup_id"`
	Wallet   string `json:"wallet"`
}

type EncodePayload struct {
	SignupID int64       `json:"signup_id"`
	Name     string      `json:"display_name"`
	Zones    []crew.Zone `json:"zones"`
}

type Processor struct {
	DB    *pgxpool.Pool
	Queue *asynq.Client
	Crew  *crew.Client
}

func (p *Processor) Lookup(ctx context.Context, t *asynq.Task) error {
	var in LookupPayload
	if err := json.Unmarshal(t.Payload(), &in); err != nil {
		return fmt.Errorf("%w: %w", err, asynq.SkipRetry)
	}
	person, err := p.Crew.Passport(ctx, in.Wallet)
	if errors.Is(err, crew.ErrUnknown) {
		_, err = p.DB.Exec(ctx, `update signups set state = 'unknown' where id = $1`, in.SignupID)
		return err
	}
	if err != nil {
		return err
	}
	if !person.Owns(in.Wallet) {
		return fmt.Errorf("signup %d: wallet not verified: %w", in.SignupID, asynq.SkipRetry)
	}
	creds, err := p.Crew.Credentials(ctx, person.PassportID)
	if err != nil {
		log.Printf("signup %d: credentials: %v", in.SignupID, err)
		creds = nil
	}
	ids := make([]string, 0, len(creds))
	for _, c := range creds {
		ids = append(ids, c.ID)
	}
	_, err = p.DB.Exec(ctx,
		`update signups set state = 'found', passport_id = $2, score = $3, credential_ids = $4 where id = $1`,
		in.SignupID, person.PassportID, person.Score, ids)
	if err != nil {
		return err
	}
	out, err := json.Marshal(EncodePayload{
		SignupID: in.SignupID,
		Name:     person.PassportProfile.DisplayName,
		Zones:    crew.Zones(person, creds, time.Now()),
	})
	if err != nil {
		return err
	}
	_, err = p.Queue.EnqueueContext(ctx, asynq.NewTask(TypeEncode, out), asynq.Queue("printer"), asynq.MaxRetry(3))
	return err
}

func (p *Processor) Encode(ctx context.Context, t *asynq.Task) error {
	var in EncodePayload
	if err := json.Unmarshal(t.Payload(), &in); err != nil {
		return fmt.Errorf("%w: %w", err, asynq.SkipRetry)
	}
	var tag string
	err := p.DB.QueryRow(ctx, `select nfc_tag from wristbands where signup_id = $1`, in.SignupID).Scan(&tag)
	if err != nil {
		return err
	}
	log.Printf("encode %s for %s: %v", tag, in.Name, in.Zones)
	_, err = p.DB.Exec(ctx, `update wristbands set zones = $2, encoded_at = now() where signup_id = $1`, in.SignupID, in.Zones)
	return err
}
