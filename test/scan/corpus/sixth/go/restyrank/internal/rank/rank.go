package rank

import (
	"errors"
	"sort"
	"strconv"
	"time"

	"github.com/go-resty/resty/v2"
)

var ErrUnauthorized = errors.New("unauthorized")

type listResponse struct {
	Passports  []listItem `json:"passports"`
	Pagination struct {
		CurrentPage int `json:"current_page"`
		LastPage    int `json:"last_page"`
		Total       int `json:"total"`
	} `json:"pagination"`
}

type listItem struct {
	PassportID    int64   `json:"passport_id"` // hazard: integer-id
	MainWallet    string  `json:"main_wallet"`
	Score         float64 `json:"score"`
	SkillsScore   float64 `json:"skills_score"`
	ActivityScore float64 `json:"activity_score"`
}

type Service struct {
	client *resty.Client
}

func New(host, key string) *Service {
	c := resty.New().
		SetBaseURL(host+"/api/v1").
		SetHeader("X-API-KEY", key).
		SetTimeout(10 * time.Second)
	return &Service{client: c}
}

func (s *Service) All(keyword string) ([]listItem, error) {
	var items []listItem
	for page := 1; ; page++ {
		var out listResponse
		resp, err := s.client.R().
			SetQueryParam("keyword", keyword).
			SetQueryParam("page", strconv.Itoa(page)).
			SetResult(&out).
			Get("/passports") // call: passport-list
		if err != nil {
			return nil, err
		}
		if resp.StatusCode() == 401 {
			return nil, ErrUnauthorized
		}
		items = append(items, out.Passports...)
		if out.Pagination.CurrentPage >= out.Pagination.LastPage { // read: pagination.current_page, pagination.last_page
			return items, nil
		}
	}
}

func (s *Service) Top(keyword string, n int) ([]string, error) {
	items, err := s.All(keyword)
	if err != nil {
		return nil, err
	}
	sort.Slice(items, func(i, j int) bool {
		return items[i].SkillsScore > items[j].SkillsScore // read: passports[].skills_score
	})
	wallets := make([]string, 0, n)
	for i := 0; i < n && i < len(items); i++ {
		wallets = append(wallets, items[i].MainWallet) // read: passports[].main_wallet
	}
	return wallets, nil
}
