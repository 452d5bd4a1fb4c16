import { PDFDocument, StandardFonts, rgb } from 'pdf-lib'
import type { Credential, Passport, Ticket } from './schemas.js'

export interface Lanyard {
  headline: string
  handle?: string
  ribbon: 'gold' | 'blue' | 'none'
  stickers: string[]
  image?: string
}

const STICKERS: Record<string, string> = {
  active_wallet: 'onchain',
  github_contributor: 'open source',
  world_id: 'one human',
}

export function compose(ticket: Ticket, passport: Passport | null, credentials: Credential[]): Lanyard {
  if (!passport) return { headline: ticket.name, ribbon: 'none', stickers: [] }
  const farcaster = passport.passport_socials.find((s) => s.source === 'farcaster')
  const { display_name, tags } = passport.passport_profile ?? { display_name: null, tags: [] }
  return {
    headline: display_name || ticket.name,
    handle: farcaster?.profile_name ?? undefined,
    image: farcaster?.profile_image_url ?? undefined,
    ribbon: ticket.type === 'speaker' ? 'gold' : passport.human_checkmark && (passport.score ?? 0) > 40 ? 'blue' : 'none',
    stickers: credentials
      .filter((c) => c.earned_at && c.type in STICKERS)
      .map((c) => STICKERS[c.type] ?? c.name)
      .concat(tags.slice(0, 2)),
  }
}

export async function render(lanyard: Lanyard): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  const font = await pdf.embedFont(StandardFonts.HelveticaBold)
  const page = pdf.addPage([240, 340])
  page.drawText(lanyard.headline, { x: 20, y: 280, size: 22, font })
  if (lanyard.handle) page.drawText(`@${lanyard.handle}`, { x: 20, y: 250, size: 14, font })
  lanyard.stickers.forEach((text, i) => page.drawText(text, { x: 20, y: 200 - i * 18, size: 11, font, color: rgb(0.2, 0.3, 0.7) }))
  return pdf.save()
}
