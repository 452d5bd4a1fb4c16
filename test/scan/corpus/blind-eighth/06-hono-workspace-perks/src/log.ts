import pino from 'pino'

export const log = pino({ name: 'perks', level: process.env.LOG_LEVEL ?? 'info' })
