package main

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
)

type deepl struct{ key string }

func (d *deepl) Translate(text, lang string) (string, error) {
	form := url.Values{"text": {text}, "target_lang": {strings.ToUpper(lang)}}
	req, err := http.NewRequest(http.MethodPost, "https://api-free.deepl.com/v2/translate", strings.NewReader(form.Encode()))
	if err != nil {
		return "", err
	}
	req.Header.Set("Authorization", "DeepL-Auth-Key "+d.key)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	var out struct {
		Translations []struct {
			Text string `json:"text"`
		} `json:"translations"`
	}
	if err := json.NewDecoder(res.Body).Decode(&out); err != nil || len(out.Translations) == 0 {
		return "", err
	}
	return out.Translations[0].Text, nil
}
