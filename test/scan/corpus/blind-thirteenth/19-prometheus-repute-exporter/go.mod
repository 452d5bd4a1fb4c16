module github.com/opsgarden/repute_exporter

go 1.22

require (
	github.com/carlmjohnson/requests v0.24.2
	github.com/prometheus/client_golang v1.20.5
	gopkg.in/yaml.v3 v3.0.1
)
