package cmd

import (
	"encoding/json"
	"io"
	"net/http"

	"github.com/spf13/viper"
)

type object = map[string]interface{}

func getJSON(url string) (object, error) {
	req, err := http.NewRequest("GET", url, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("X-API-KEY", viper.GetString("key"))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	var data object
	err = json.Unmarshal(body, &data)
	return data, err
}

func passportOf(wallet string) object {
	data, err := getJSON(viper.GetString("api") + "/passports/" + wallet)
	if err != nil {
		return nil
	}
	p, _ := data["passport"].(map[string]interface{})
	return p
}

func num(m object, key string) float64 {
	f, _ := m[key].(float64)
	return f
}

func str(m object, key string) string {
	s, _ := m[key].(string)
	return s
}
