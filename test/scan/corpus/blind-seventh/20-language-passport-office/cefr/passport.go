// Package cefr holds language passports after the Common European Framework of Reference.
package cefr

import (
	"fmt"
	"time"
)

// Passport is a student's language passport. It lives in our own database.
type Passport struct {
	PassportID  int           `json:"passport_id"`
	DisplayName string        `json:"display_name"`
	Location    string        `json:"location"`
	Languages   []Language    `json:"languages"`
	Exams       []ExamResult  `json:"credentials"`
	Verified    bool          `json:"verified"`
	IssuedAt    time.Time     `json:"issued_at"`
	Validity    time.Duration `json:"-"`
}

type Language struct {
	Code      string `json:"code"`
	Listening string `json:"listening"`
	Reading   string `json:"reading"`
	Speaking  string `json:"speaking"`
	Writing   string `json:"writing"`
}

type ExamResult struct {
	ID       string  `json:"id"`
	Name     string  `json:"name"`
	Category string  `json:"category"`
	Score    float64 `json:"score"`
	MaxScore float64 `json:"max_score"`
	EarnedAt string  `json:"earned_at"`
}

// Score is the mean share of the points over all exams.
func (p Passport) Score() float64 {
	if len(p.Exams) == 0 {
		return 0
	}
	sum := 0.0
	for _, e := range p.Exams {
		if e.MaxScore > 0 {
			sum += e.Score / e.MaxScore
		}
	}
	return 100 * sum / float64(len(p.Exams))
}

func Level(score float64) string {
	switch {
	case score >= 90:
		return "C2"
	case score >= 80:
		return "C1"
	case score >= 65:
		return "B2"
	case score >= 50:
		return "B1"
	}
	return "A2"
}

func (p Passport) Title() string {
	return fmt.Sprintf("%s (%s), level %s", p.DisplayName, p.Location, Level(p.Score()))
}
