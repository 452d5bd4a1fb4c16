package main

const (
	host        = "https://rep.example.org"
	apiV1       = host + "/api/v1"
	listPattern = apiV1 + "/passports?page=%d"

	// not used yet: /api/v1/passport_credentials
	mapsHost = "https://maps.example.com"
	tilePath = mapsHost + "/api/v1/tiles/%d"
)

type tile struct {
	Location string   `json:"location"`
	Tags     []string `json:"tags"`
}

func (t tile) label() string {
	return t.Location + t.Tags[0]
}
