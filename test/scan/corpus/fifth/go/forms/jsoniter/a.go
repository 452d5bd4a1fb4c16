package a

import (
	"bytes"
	"io"
	"net/http"

	"github.com/buger/jsonparser"
	jsoniter "github.com/json-iterator/go"
	"github.com/valyala/fastjson"
)

func main() {
	resp, err := http.Get("https://h/api/v1/passports/1") // call: passport
	if err != nil {
		panic(err)
	}
	defer resp.Body.Close()
	var buf bytes.Buffer
	if _, err := io.Copy(&buf, resp.Body); err != nil {
		panic(err)
	}
	data := buf.Bytes()
	s := jsoniter.Get(data, "passport", "score").ToFloat64() // read: passport.score
	w, err := jsonparser.GetString(data, "passport", "main_wallet") // read: passport.main_wallet
	if err != nil {
		panic(err)
	}
	jsonparser.ArrayEach(data, func(v []byte, t jsonparser.ValueType, o int, err error) { // read: passport.passport_socials
		src, _ := jsonparser.GetString(v, "source") // read: passport.passport_socials[].source
		println(src)
	}, "passport", "passport_socials")
	var p fastjson.Parser
	v, err := p.ParseBytes(data)
	if err != nil {
		panic(err)
	}
	println(s, w, v.GetFloat64("passport", "identity_score")) // read: passport.identity_score
	for _, x := range v.GetArray("passport", "passport_socials") { // read: passport.passport_socials
		println(string(x.GetStringBytes("profile_url"))) // read: passport.passport_socials[].profile_url
	}
	pp := v.Get("passport")
	println(pp.GetBool("human_checkmark")) // read: passport.human_checkmark
}
