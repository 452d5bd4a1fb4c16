export interface TalentPassport {
  passport_id: number;
  score: number;
  activity_score: number;
  skills_score: number;
  human_checkmark: boolean;
  verified_wallets: string[];
  last_calculated_at: string;
}

export interface TalentPassportResponse {
  passport: TalentPassport;
}

export interface TalentCredential {
  type: string;
  value: string;
  score: number;
  earned_at: string;
}

export interface TalentCredentialsResponse {
  passport_credentials: TalentCredential[];
}
