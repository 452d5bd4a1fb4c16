package main

import (
	"context"
	"net/http"
	"example.com/app/api"
	"example.com/app/svc"
)

func main() {
	c := &api.Client{HTTP: http.DefaultClient}
	s := svc.New(c)
	println(s.Level(context.Background(), "1"))
}
