import { defineConfig } from 'astro/config'
import node from '@astrojs/node'

export default defineConfig({
  site: 'https://almanac.example',
  output: 'hybrid',
  adapter: node({ mode: 'standalone' }),
})
