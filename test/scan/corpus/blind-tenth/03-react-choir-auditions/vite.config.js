import { defineConfig, loadEnv } from 'vite'
import react from '@vitejs/plugin-react'

export default defineConfig(({ mode }) => {
  const env = loadEnv(mode, process.cwd(), '')
  return {
    plugins: [react()],
    server: {
      proxy: {
        '/backend': { target: 'http://localhost:4000', changeOrigin: true },
      },
    },
    define: {
      __TALENT_KEY__: JSON.stringify(env.TALENT_KEY),
    },
  }
})
