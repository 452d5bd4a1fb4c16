package web

import (
	"embed"
	"errors"
	"html/template"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/url"
	"sort"
	"strings"
)

//go:embed templates/*.html static
var files embed.FS

var pages = template.Must(template.New("").Funcs(template.FuncMap{
	"join": strings.Join,
}).ParseFS(files, "templates/*.html"))

type Desk struct {
	Upstream string
	Key      string
	Client   *http.Client
	Log      *slog.Logger
}

func (d *Desk) Routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /pitch/{id}", d.showPitch)
	mux.HandleFunc("GET /bff/search", d.search)
	mux.Handle("GET /static/", http.FileServerFS(files))
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		d.render(w, "home.html", nil)
	})
	return mux
}

func (d *Desk) render(w http.ResponseWriter, name string, data any) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if err := pages.ExecuteTemplate(w, name, data); err != nil {
		d.Log.Error("template", "name", name, "err", err)
	}
}

func (d *Desk) showPitch(w http.ResponseWriter, r *http.Request) {
	f, err := d.founder(r.Context(), r.PathValue("id"))
	var up *upstreamError
	switch {
	case errors.As(err, &up) && up.Status == http.StatusNotFound:
		http.NotFound(w, r)
		return
	case err != nil:
		d.Log.Error("pitch", "err", err)
		http.Error(w, "passport service unavailable", http.StatusBadGateway)
		return
	}

	p := pitch{Founder: *f, Achievements: d.achievements(r.Context(), f.ID)}
	sort.Slice(p.Achievements, func(i, j int) bool {
		return p.Achievements[i].Points > p.Achievements[j].Points
	})
	var got, most float64
	for _, a := range p.Achievements {
		if a.Category == "Skills" {
			got += a.Points
			most += a.Max
		}
	}
	if most > 0 {
		p.Percent = int(math.Round(got / most * 100))
	}
	for _, s := range f.Socials {
		if s.Image != "" {
			p.Avatar = s.Image
			break
		}
	}
	d.render(w, "pitch.html", p)
}

// search hands the list through so that the key stays on the server.
func (d *Desk) search(w http.ResponseWriter, r *http.Request) {
	target := d.Upstream + "/api/v1/passports?keyword=" + url.QueryEscape(r.URL.Query().Get("q"))
	req, err := http.NewRequestWithContext(r.Context(), http.MethodGet, target, nil)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	req.Header.Set("X-API-KEY", d.Key)
	res, err := d.Client.Do(req)
	if err != nil {
		http.Error(w, "passport service unavailable", http.StatusBadGateway)
		return
	}
	defer res.Body.Close()
	w.Header().Set("Content-Type", res.Header.Get("Content-Type"))
	w.WriteHeader(res.StatusCode)
	_, _ = io.Copy(w, res.Body)
}
