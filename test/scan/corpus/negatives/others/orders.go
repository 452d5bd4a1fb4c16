package others

import "net/http"

func Orders(base string) int {
	resp, err := http.Get(base + "/api/v1/orders?passport=1")
	if err != nil {
		return 0
	}
	return resp.StatusCode
}
