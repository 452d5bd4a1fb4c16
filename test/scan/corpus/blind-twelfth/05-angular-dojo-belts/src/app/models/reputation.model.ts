export interface PassportProfile {
  display_name: string;
  bio: string;
  location: string;
  tags: string[];
}

export interface PassportSocial {
  source: string;
  profile_name: string;
  profile_url: string;
  profile_bio: string;
}

export interface Passport {
  passport_id: number;
  score: number;
  activity_score: number;
  identity_score: number;
  skills_score: number;
  calculating_score: boolean;
  human_checkmark: boolean;
  main_wallet: string;
  passport_profile: PassportProfile;
  passport_socials?: PassportSocial[];
}

export interface PassportResponse {
  passport: Passport;
}

export interface PassportListResponse {
  passports: Passport[];
  pagination: { current_page: number; last_page: number; total: number };
}

export interface Credential {
  id: string;
  category: string;
  name: string;
  score: number;
  max_score: number;
}

export interface Student {
  id: string;
  wallet: string;
  name: string;
  belt: string;
}
