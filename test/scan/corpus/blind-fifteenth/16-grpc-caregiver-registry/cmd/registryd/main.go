package main

import (
	"log/slog"
	"net"
	"os"

	"github.com/caarlos0/env/v11"
	"google.golang.org/grpc"
	"google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"

	registryv1 "github.com/homecircle/caregiver-registry/gen/registryv1"
	"github.com/homecircle/caregiver-registry/internal/registry"
	"github.com/homecircle/caregiver-registry/internal/talent"
)

type config struct {
	Addr      string  `env:"ADDR" envDefault:":9090"`
	TalentURL string  `env:"TALENT_URL" envDefault:"https://api.talentprotocol.com"`
	TalentKey string  `env:"TALENT_KEY,required"`
	MinScore  float64 `env:"MIN_SCORE" envDefault:"25"`
}

func main() {
	log := slog.New(slog.NewJSONHandler(os.Stdout, nil))
	cfg, err := env.ParseAs[config]()
	if err != nil {
		log.Error("config", "err", err)
		os.Exit(2)
	}
	client, err := talent.New(cfg.TalentURL, cfg.TalentKey)
	if err != nil {
		log.Error("client", "err", err)
		os.Exit(2)
	}
	lis, err := net.Listen("tcp", cfg.Addr)
	if err != nil {
		log.Error("listen", "err", err)
		os.Exit(1)
	}
	srv := grpc.NewServer()
	registryv1.RegisterRegistryServer(srv, registry.New(client, log, cfg.MinScore))
	healthpb.RegisterHealthServer(srv, health.NewServer())
	log.Info("serving", "addr", cfg.Addr)
	if err := srv.Serve(lis); err != nil {
		log.Error("serve", "err", err)
	}
}
