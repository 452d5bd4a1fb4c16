import { defineStore } from 'pinia'
import { reputation, type RepCredential, type RepPassport } from '../api/reputation'
import { weblateStats, type WeblateStats } from '../api/weblate'

interface State {
  byId: Record<number, RepPassport>
  credentials: Record<number, RepCredential[]>
  stats: Record<string, WeblateStats>
  order: number[]
  loading: boolean
}

export const useTranslators = defineStore('translators', {
  state: (): State => ({ byId: {}, credentials: {}, stats: {}, order: [], loading: false }),

  getters: {
    listed: (state) => state.order.map((id) => state.byId[id]).filter((p) => !p.calculating_score),
    humans(): RepPassport[] {
      return this.listed.filter((p) => p.human_checkmark && p.identity_score > 10)
    },
    languageCredentials: (state) => (id: number) =>
      (state.credentials[id] ?? []).filter((c) => c.type.startsWith('language_')),
    isReviewer() {
      return (id: number) => this.languageCredentials(id).some((c) => c.score >= c.max_score / 2)
    },
  },

  actions: {
    async search(keyword: string) {
      this.loading = true
      try {
        const { passports } = await reputation.search(keyword)
        for (const p of passports) this.byId[p.passport_id] = p
        this.order = passports.map((p) => p.passport_id)
      } catch (e) {
        console.warn('search failed', e)
        this.order = []
      } finally {
        this.loading = false
      }
    },

    async open(id: number) {
      const { passport } = await reputation.one(id)
      this.byId[id] = passport
      this.credentials[id] = await reputation
        .credentials(id)
        .then((r) => r.passport_credentials)
        .catch(() => [])
      const nick = passport.passport_socials?.find((s) => s.source === 'github')?.profile_display_name
      if (nick) this.stats[nick] = await weblateStats(nick)
    },
  },
})
