'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import { Resend } from 'resend'
import { sql } from '@/lib/db'
import { spotById } from '@/lib/spots'
import { getPassport, searchPassports } from '@/lib/talent/client'

const resend = new Resend(process.env.RESEND_API_KEY)

export type FormState = { error?: string }

export async function applyForSpot(_prev: FormState, form: FormData): Promise<FormState> {
  const spot = await spotById(String(form.get('spot')))
  const wallet = String(form.get('wallet')).toLowerCase()
  if (!spot || spot.artistWallet) return { error: 'This spot is gone.' }

  const artist = await getPassport(wallet)
  const score = artist?.score ?? 0
  if (score < spot.minScore) return { error: `${spot.studio} asks for a score of ${spot.minScore}.` }
  if (!artist?.verified_wallets.some((w) => w.toLowerCase() === wallet)) {
    return { error: 'Please verify this wallet first.' }
  }

  await sql`insert into applications (spot, wallet, passport, score)
    values (${spot.id}, ${wallet}, ${artist.passport_id}, ${score})`
  await resend.emails.send({
    from: 'spots@guestspots.ink',
    to: 'front-desk@guestspots.ink',
    subject: `${artist.passport_profile?.display_name ?? wallet} wants ${spot.studio}`,
    text: `Score ${score}, ${spot.startsOn} to ${spot.endsOn}`,
  })
  revalidatePath('/spots')
  redirect(`/spots/${spot.id}`)
}

export async function suggestArtists(term: string) {
  if (term.trim().length < 3) return []
  const found = await searchPassports(term)
  return found
    .filter((p) => p.main_wallet)
    .slice(0, 8)
    .map((p) => ({ value: p.main_wallet!, label: `${p.passport_profile?.display_name} (${p.score})` }))
}
