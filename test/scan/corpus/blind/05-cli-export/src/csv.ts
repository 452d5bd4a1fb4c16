import { createWriteStream } from 'node:fs'

const escape = (v: unknown) => {
  const s = v === null || v === undefined ? '' : String(v)
  return /[",\n]/.test(s) ? `"${s.replace(/"/g, '""')}"` : s
}

export function csvWriter(file: string, header: string[]) {
  const out = createWriteStream(file)
  out.write(header.join(',') + '\n')
  return {
    row: (values: unknown[]) => out.write(values.map(escape).join(',') + '\n'),
    end: () => new Promise<void>((r) => out.end(r)),
  }
}
