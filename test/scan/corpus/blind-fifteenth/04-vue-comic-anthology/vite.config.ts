import { fileURLToPath, URL } from 'node:url'
import vue from '@vitejs/plugin-vue'
import { defineConfig, loadEnv } from 'vite'

export default defineConfig(({ mode }) => {
  const env = loadEnv(mode, process.cwd(), '')
  return {
    plugins: [vue()],
    resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
    server: {
      proxy: {
        '/talent': {
          target: 'https://api.talentprotocol.com',
          changeOrigin: true,
          rewrite: (path) => path.replace(/^\/talent/, '/api/v1'),
          headers: { 'X-API-KEY': env.TALENT_API_KEY },
        },
        '/cms': { target: env.CMS_URL ?? 'http://localhost:1337', rewrite: (path) => path.replace(/^\/cms/, '/api') },
      },
    },
  }
})
