export interface PassportProfile {
  bio: string;
  display_name: string;
  location: string;
  tags: string[];
}

export interface Passport {
  activity_score: number;
  identity_score: number;
  skills_score: number;
  score: number;
  calculating_score: boolean;
  connections_count?: number;
  human_checkmark: boolean;
  main_wallet: string;
  passport_id: number;
  passport_profile: PassportProfile;
  merged?: boolean;
}

export interface PassportList {
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
