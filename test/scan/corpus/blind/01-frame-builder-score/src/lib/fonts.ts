import { readFile } from 'node:fs/promises'
import path from 'node:path'

const dir = path.join(process.cwd(), 'public', 'fonts')

export async function loadFonts() {
  const [regular, bold] = await Promise.all([
    readFile(path.join(dir, 'Inter-Regular.ttf')),
    readFile(path.join(dir, 'Inter-Bold.ttf')),
  ])
  return [
    { name: 'Inter', data: regular, weight: 400 as const },
    { name: 'Inter', data: bold, weight: 700 as const },
  ]
}
