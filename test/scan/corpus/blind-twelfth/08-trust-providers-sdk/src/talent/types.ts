export type IsoDate = string

export interface PassportProfileDto {
  display_name: string | null
  bio: string | null
  location: string | null
  tags: string[]
}

export interface PassportSocialDto {
  source: string
  profile_name: string | null
  profile_display_name: string | null
  profile_url: string | null
}

export interface PassportSummaryDto {
  passport_id: number
  score: number
  human_checkmark: boolean
  main_wallet: string | null
  verified_wallets: string[]
  last_calculated_at: IsoDate | null
  passport_profile: PassportProfileDto | null
}

export interface PassportDto extends PassportSummaryDto {
  merged: boolean
  passport_socials: PassportSocialDto[]
}

export interface CredentialDto {
  id: string
  name: string
  type: string
  category: 'Activity' | 'Identity' | 'Skills' | (string & {})
  score: number
  max_score: number
  earned_at: string | null
}

export interface PaginationDto {
  current_page: number
  last_page: number
  total: number
}

export interface Endpoints {
  passports: { passports: PassportSummaryDto[]; pagination: PaginationDto }
  [passport: `passports/${string}`]: { passport: PassportDto }
  passport_credentials: { passport_credentials: CredentialDto[] }
}
