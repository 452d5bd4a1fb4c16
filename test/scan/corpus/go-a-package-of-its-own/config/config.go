package config

import "os"

const V1Prefix = "/api/v1"

var Host = os.Getenv("REPUTATION_HOST")

func PassportURL(id string) string { return Host + V1Prefix + "/passports/" + id }
