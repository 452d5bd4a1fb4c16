import { defineStore } from 'pinia'
import { listArtists, type Artist } from '@/api/artists'

export const usePickerStore = defineStore('picker', {
  state: () => ({ keyword: '', results: [] as Artist[], chosen: [] as number[], loading: false }),
  getters: {
    humans: (state) => state.results.filter((a) => a.humanCheckmark),
    ranked(): Artist[] {
      return [...this.humans].sort((a, b) => b.skillsScore - a.skillsScore)
    },
  },
  actions: {
    async search() {
      this.loading = true
      try {
        this.results = await listArtists(this.keyword)
      } catch {
        this.results = []
      } finally {
        this.loading = false
      }
    },
    toggle(artist: Artist) {
      const at = this.chosen.indexOf(artist.passportId)
      if (at >= 0) this.chosen.splice(at, 1)
      else this.chosen.push(artist.passportId)
    },
  },
})
