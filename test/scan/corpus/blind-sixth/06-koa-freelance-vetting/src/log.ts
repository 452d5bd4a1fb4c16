import pino from 'pino'

export const log = pino({ name: 'freelance-vetting', level: process.env.LOG_LEVEL ?? 'info' })
