export interface PassportProfile {
  bio: string;
  display_name: string;
  location: string;
  tags: string[];
}

export interface PassportSocial {
  source: string;
  profile_url: string;
  profile_display_name: string;
  following_count: string;
  follower_count: string;
}

export interface Passport {
  passport_id: number;
  score: number;
  activity_score: number;
  identity_score: number;
  skills_score: number;
  connections_count?: number;
  human_checkmark: boolean;
  main_wallet: string;
  verified_wallets: string[];
  passport_profile: PassportProfile;
  passport_socials?: PassportSocial[];
}

export interface PassportCredential {
  id: string;
  name: string;
  type: string;
  category: string;
  score: number;
  max_score: number;
  last_calculated_at: string;
}

export interface Pagination {
  current_page: number;
  last_page: number;
  total: number;
}

export interface PassportPage {
  passports: Passport[];
  pagination: Pagination;
}
