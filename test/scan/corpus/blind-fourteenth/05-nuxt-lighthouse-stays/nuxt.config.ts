export default defineNuxtConfig({
  compatibilityDate: '2025-04-01',
  modules: ['@nuxt/ui'],
  runtimeConfig: {
    talentApiKey: '',
    talentApiBase: 'https://api.talentprotocol.com/api/v1',
    openMeteoBase: 'https://api.open-meteo.com/v1',
  },
})
