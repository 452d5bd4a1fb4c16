import react from '@vitejs/plugin-react-swc'
import { defineConfig, loadEnv } from 'vite'

export default defineConfig(({ mode }) => {
  const env = loadEnv(mode, process.cwd(), '')
  return {
    plugins: [react()],
    server: {
      proxy: {
        '/talent': {
          target: 'https://api.talentprotocol.com',
          changeOrigin: true,
          headers: { 'X-API-KEY': env.TALENT_API_KEY },
          rewrite: (path) => path.replace(/^\/talent/, '/api/v1'),
        },
        '/backend': { target: 'http://localhost:8787', rewrite: (path) => path.replace(/^\/backend/, '') },
      },
    },
  }
})
