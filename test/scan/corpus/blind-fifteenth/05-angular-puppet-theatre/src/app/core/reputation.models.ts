export interface PassportDto {
  passport_id: number;
  score: number;
  activity_score: number;
  identity_score: number;
  human_checkmark: boolean;
  last_calculated_at: string;
  main_wallet: string;
  merged?: boolean;
  passport_profile: PassportProfileDto;
}

export interface PassportProfileDto {
  bio: string;
  display_name: string;
  location: string;
  tags: string[];
}

export interface CredentialDto {
  id: string;
  category: string;
  name: string;
  score: number;
  last_calculated_at: string;
}

export interface Puppeteer {
  id: number;
  name: string;
  wallet: string;
  score: number;
  verified: boolean;
  tags: string[];
}
