export interface SitterReport {
  provider: string
  subject: string
  score: number
  human: boolean
  name?: string
  updatedAt?: Date
  evidence: Evidence[]
}

export interface Evidence {
  kind: string
  label: string
  weight: number
}

export interface Check {
  readonly provider: string
  report(subject: string): Promise<SitterReport>
}
