module gitlab.com/islandlines/steward-enricher

go 1.22

require (
	github.com/hashicorp/go-retryablehttp v0.7.7
	github.com/jmoiron/sqlx v1.4.0
	github.com/lib/pq v1.10.9
	github.com/rs/zerolog v1.33.0
	github.com/segmentio/kafka-go v0.4.47
	github.com/spf13/viper v1.19.0
)
