import Stripe from 'stripe'

export default defineEventHandler(async (event) => {
  const { wallet, kiln } = await readBody<{ wallet: string; kiln: string }>(event)
  const member = await fetchMember(wallet).catch(() => null)
  const trusted = !!member?.human_checkmark && (member.score ?? 0) >= 50
  const stripe = new Stripe(useRuntimeConfig().stripeSecret)
  const session = await stripe.checkout.sessions.create({
    mode: 'payment',
    line_items: [{ price: trusted ? 'price_kiln_trusted' : 'price_kiln_full', quantity: 1 }],
    metadata: { kiln, passport: String(member?.passport_id ?? '') },
    success_url: `${getRequestURL(event).origin}/kilns/${kiln}`,
  })
  return { url: session.url }
})
