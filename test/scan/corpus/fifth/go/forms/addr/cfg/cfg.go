package cfg

type Endpoints struct {
	Passport, Creds string
}
type Config struct {
	Base      string
	Endpoints Endpoints
}

const Version = "v1"

func Default() Config {
	return Config{Base: "https://h", Endpoints: Endpoints{Passport: "/api/" + Version + "/passports/:id", Creds: "/api/v1/passport_credentials"}}
}
