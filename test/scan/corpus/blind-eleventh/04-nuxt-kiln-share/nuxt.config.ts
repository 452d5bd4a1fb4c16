export default defineNuxtConfig({
  compatibilityDate: '2025-03-01',
  modules: ['@nuxt/ui', '@pinia/nuxt'],
  runtimeConfig: {
    talent: {
      baseURL: 'https://api.talentprotocol.com/api/v1',
      apiKey: '',
    },
    stripeSecret: '',
    public: { studioName: 'Clay & Chain' },
  },
})
