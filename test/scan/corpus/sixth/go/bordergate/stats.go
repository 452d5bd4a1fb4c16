package bordergate

import "sort"

type Stat struct {
	Location string
	Count    int
	Score    float64
}

func (g *Gate) Stats(keyword string) []Stat {
	byLocation := map[string]*Stat{}
	for _, b := range g.List(keyword) {
		s, ok := byLocation[b.Location]
		if !ok {
			s = &Stat{Location: b.Location}
			byLocation[b.Location] = s
		}
		s.Count++
		s.Score += b.Score
	}
	stats := make([]Stat, 0, len(byLocation))
	for _, s := range byLocation {
		stats = append(stats, *s)
	}
	sort.Slice(stats, func(i, j int) bool { return stats[i].Score > stats[j].Score })
	return stats
}
