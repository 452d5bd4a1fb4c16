export interface Profile {
  bio: string;
  display_name: string;
  location: string;
  tags: string[];
}

export interface Passport {
  passport_id: number; // hazard: integer-id
  score: number;
  identity_score: number;
  calculating_score: boolean;
  main_wallet: string;
  last_calculated_at: string;
  passport_profile: Profile;
  merged?: boolean;
}

export interface PassportList {
  passports: Passport[];
  pagination: { current_page: number; last_page: number; total: number };
}

export interface Credential {
  id: string;
  type: string;
  score: number;
  last_calculated_at: string;
}
