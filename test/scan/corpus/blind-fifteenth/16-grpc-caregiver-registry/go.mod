module github.com/homecircle/caregiver-registry

go 1.22

require (
	github.com/caarlos0/env/v11 v11.2.2
	google.golang.org/grpc v1.66.0
	google.golang.org/protobuf v1.34.2
)
