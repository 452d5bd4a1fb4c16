export default defineNuxtConfig({
  devtools: { enabled: true },
  modules: ['@nuxtjs/tailwindcss', '@pinia/nuxt'],
  runtimeConfig: {
    talentUrl: 'https://api.talentprotocol.com',
    talentKey: '',
    mapboxSecret: '',
    public: { mapboxToken: '' },
  },
  routeRules: { '/api/builders': { swr: 900 } },
})
