import vue from '@vitejs/plugin-vue'
import { defineConfig, loadEnv } from 'vite'

export default defineConfig(({ mode }) => {
  const env = loadEnv(mode, process.cwd(), '')
  return {
    plugins: [vue()],
    server: {
      proxy: {
        '/rep': {
          target: 'https://api.talentprotocol.com',
          changeOrigin: true,
          headers: { 'X-API-KEY': env.TALENT_API_KEY },
          rewrite: (path) => path.replace(/^\/rep/, '/api/v1'),
        },
        '/weblate': { target: env.WEBLATE_URL, changeOrigin: true },
      },
    },
  }
})
