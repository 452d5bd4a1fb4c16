export interface PassportProfile {
  bio: string | null;
  display_name: string | null;
  location: string | null;
  tags: string[];
}

export interface Passport {
  activity_score: number;
  identity_score: number;
  skills_score: number;
  score: number;
  calculating_score: boolean;
  human_checkmark: boolean;
  last_calculated_at: string | null;
  main_wallet: string;
  passport_id: number;
  passport_profile: PassportProfile;
  verified_wallets: string[];
}

export interface Pagination {
  current_page: number;
  last_page: number;
  total: number;
}

export interface PassportList {
  passports: Passport[];
  pagination: Pagination;
}

export interface PassportCredential {
  id: string;
  category: string;
  max_score: number;
  score: number;
  name: string;
  type: string;
  value: string | null;
}
