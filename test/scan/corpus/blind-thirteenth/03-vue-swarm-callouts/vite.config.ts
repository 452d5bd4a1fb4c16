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
        '/reputation': {
          target: 'https://api.talentprotocol.com',
          changeOrigin: true,
          headers: { 'X-API-KEY': env.TALENT_KEY },
          rewrite: (path) => path.replace(/^\/reputation/, '/api/v1'),
        },
        '/backend': { target: 'http://localhost:4100', changeOrigin: true },
      },
    },
  }
})
