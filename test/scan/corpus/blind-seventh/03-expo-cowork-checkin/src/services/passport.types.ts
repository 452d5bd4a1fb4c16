export interface PassportProfile {
  display_name: string | null;
  bio: string | null;
  location: string | null;
  tags: string[];
}

export interface Passport {
  passport_id: number;
  main_wallet: string;
  score: number;
  activity_score: number;
  identity_score: number;
  skills_score: number;
  human_checkmark: boolean;
  connections_count?: number;
  passport_profile: PassportProfile | null;
  passport_socials?: Social[];
}

export interface Social {
  source: string;
  profile_image_url: string | null;
  profile_name: string | null;
}

export interface Credential {
  id: string;
  name: string;
  type: string;
  value: string | null;
  score: number;
}
