package talent

import (
	"fmt"
	"log"
	"strconv"
	"time"

	"github.com/go-resty/resty/v2"
)

type Social struct {
	Source        string `json:"source"`
	ProfileName   string `json:"profile_name"`
	FollowerCount string `json:"follower_count"`
}

type Passport struct {
	PassportID       int      `json:"passport_id"`
	Score            float64  `json:"score"`
	SkillsScore      float64  `json:"skills_score"`
	ConnectionsCount int      `json:"connections_count"`
	LastCalculatedAt string   `json:"last_calculated_at"`
	VerifiedWallets  []string `json:"verified_wallets"`
	PassportProfile  *struct {
		DisplayName string   `json:"display_name"`
		Location    string   `json:"location"`
		Tags        []string `json:"tags"`
	} `json:"passport_profile"`
	PassportSocials []Social `json:"passport_socials"`
}

type Credential struct {
	Name  string `json:"name"`
	Type  string `json:"type"`
	Value string `json:"value"`
}

type passportResponse struct {
	Passport Passport `json:"passport"`
}

type listResponse struct {
	Passports  []Passport `json:"passports"`
	Pagination struct {
		CurrentPage int `json:"current_page"`
		LastPage    int `json:"last_page"`
	} `json:"pagination"`
}

type credentialsResponse struct {
	PassportCredentials []Credential `json:"passport_credentials"`
}

type Service struct {
	rc *resty.Client
}

func New(host, key string) *Service {
	rc := resty.New().
		SetBaseURL(host+"/api/v1").
		SetHeader("X-API-KEY", key).
		SetTimeout(8 * time.Second).
		SetRetryCount(2)
	return &Service{rc: rc}
}

func (s *Service) Passport(id string) (*Passport, error) {
	var out passportResponse
	res, err := s.rc.R().
		SetResult(&out).
		SetPathParam("id", id).
		Get("/passports/{id}")
	if err != nil {
		return nil, err
	}
	if res.IsError() {
		return nil, fmt.Errorf("talent %s", res.Status())
	}
	return &out.Passport, nil
}

func (s *Service) Search(keyword string) ([]Passport, error) {
	var all []Passport
	for page := 1; ; page++ {
		var out listResponse
		res, err := s.rc.R().
			SetQueryParams(map[string]string{"keyword": keyword, "page": strconv.Itoa(page)}).
			SetResult(&out).
			Get("/passports")
		if err != nil {
			return nil, err
		}
		if res.IsError() {
			log.Println("search:", res.Status())
			return all, nil
		}
		all = append(all, out.Passports...)
		if out.Pagination.CurrentPage >= out.Pagination.LastPage {
			return all, nil
		}
	}
}

func (s *Service) Credentials(id int) []Credential {
	var out credentialsResponse
	_, err := s.rc.R().SetResult(&out).SetQueryParam("passport_id", strconv.Itoa(id)).Get("/passport_credentials")
	if err != nil {
		return []Credential{}
	}
	return out.PassportCredentials
}
