import { Resend } from 'resend'

const resend = new Resend(process.env.RESEND_API_KEY)

export async function inviteSub(to: string, name: string, concert: string) {
  const { data, error } = await resend.emails.send({
    from: 'Orchestra desk <desk@subs.example>',
    to,
    subject: `Can you sub for ${concert}?`,
    text: `Hi ${name}, a chair is free for ${concert}. Reply to this mail to take it.`,
  })
  if (error) throw new Error(error.message)
  return data?.id
}
