import DataLoader from 'dataloader'
import { TalentSource, type HostRecord } from './sources/talent'
import { ScheduleSource } from './sources/schedule'

export interface Context {
  talent: TalentSource
  schedule: ScheduleSource
  hosts: DataLoader<string, HostRecord>
}

export function createContext(): Context {
  const talent = new TalentSource(process.env.TALENT_BASE_URL ?? 'https://api.talentprotocol.com', process.env.TALENT_KEY)
  return {
    talent,
    schedule: new ScheduleSource(process.env.SCHEDULE_DSN!),
    hosts: new DataLoader((ids) => Promise.all(ids.map((id) => talent.host(id).catch((e: Error) => e)))),
  }
}
