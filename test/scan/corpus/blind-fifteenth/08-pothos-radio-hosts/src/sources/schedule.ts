import postgres from 'postgres'

export interface Show {
  id: string
  title: string
  category: string
  score: number
  host_wallet: string
}

export class ScheduleSource {
  private readonly sql

  constructor(dsn: string) {
    this.sql = postgres(dsn)
  }

  showsByHost(passportId: number) {
    return this.sql<Show[]>`select id, title, category, score, host_wallet from shows where host_passport_id = ${passportId}`
  }
}
