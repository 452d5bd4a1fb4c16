import { create } from 'zustand'
import { persist } from 'zustand/middleware'

const API = import.meta.env.VITE_PASSPORT_API // e.g. https://api.talentprotocol.com/api/v1
const KEY = import.meta.env.VITE_PASSPORT_KEY

const withKey = { headers: { 'X-API-KEY': KEY } }
const ONE_HOUR = 60 * 60 * 1000

export const usePassportStore = create(
  persist(
    (set, get) => ({
      byWallet: {},
      credentials: {},
      leaders: [],
      loading: false,

      load: async (wallet) => {
        const known = get().byWallet[wallet]
        if (known && Date.now() - known.fetchedAt < ONE_HOUR) return known.passport

        set({ loading: true })
        try {
          const [passportRes, credentialsRes] = await Promise.all([
            fetch(`${API}/passports/${wallet}`, withKey),
            fetch(`${API}/passport_credentials?passport_id=${wallet}`, withKey),
          ])
          if (!passportRes.ok) throw new Error(`passport ${passportRes.status}`)

          const { passport } = await passportRes.json()
          const { passport_credentials = [] } = await credentialsRes.json()
          set((state) => ({
            byWallet: { ...state.byWallet, [wallet]: { passport, fetchedAt: Date.now() } },
            credentials: { ...state.credentials, [wallet]: passport_credentials },
          }))
          return passport
        } catch (e) {
          console.error('usePassportStore.load', e)
          return null
        } finally {
          set({ loading: false })
        }
      },

      loadLeaders: async () => {
        const response = await fetch(`${API}/passports`, withKey)
        const data = await response.json()
        set({ leaders: data.passports?.slice(0, 10) ?? [] })
      },
    }),
    { name: 'passport-widget', partialize: (s) => ({ byWallet: s.byWallet }) }
  )
)
