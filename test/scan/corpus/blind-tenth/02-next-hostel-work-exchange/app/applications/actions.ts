'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import { isAddress } from 'viem'
import { Resend } from 'resend'
import { db, applications } from '@/lib/db'
import { env } from '@/lib/env'
import { getReputation } from '@/lib/reputation'

const resend = new Resend(env.RESEND_API_KEY)

export async function apply(_prev: { error?: string }, form: FormData) {
  const wallet = String(form.get('wallet') ?? '')
  const weeks = Number(form.get('weeks'))
  if (!isAddress(wallet)) return { error: 'That is not a wallet address.' }
  if (weeks < 2) return { error: 'We take volunteers for two weeks or more.' }

  let score: number
  try {
    const reputation = await getReputation(wallet)
    if (reputation.pending) return { error: 'Your score is being calculated. Come back in an hour.' }
    score = reputation.score
  } catch {
    score = 0
  }

  const [row] = await db
    .insert(applications)
    .values({ wallet, weeks, score, status: score >= 35 ? 'shortlist' : 'review' })
    .returning()

  await resend.emails.send({
    from: 'bunks@hostel.example',
    to: String(form.get('email')),
    subject: 'We got your application',
    text: `Thanks! Reference ${row.id}, status ${row.status}.`,
  })
  revalidatePath('/applications')
  redirect(`/applications/${row.id}`)
}
