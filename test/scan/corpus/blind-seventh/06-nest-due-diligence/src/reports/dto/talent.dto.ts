export class ProfileDto {
  bio: string | null;
  display_name: string | null;
  location: string | null;
}

export class SocialDto {
  source: string;
  profile_name: string | null;
  follower_count: string | null;
}

export class PassportDto {
  passport_id: number;
  score: number;
  identity_score: number;
  human_checkmark: boolean;
  main_wallet: string | null;
  verified_wallets: string[];
  last_calculated_at: string | null;
  merged?: boolean;
  passport_profile?: ProfileDto;
  passport_socials?: SocialDto[];
}

export class PassportPageDto {
  passports: PassportDto[];
  pagination: { current_page: number; last_page: number; total: number };
}

export class CredentialDto {
  id: string;
  category: string;
  name: string;
  type: string;
  score: number;
  max_score: number;
  last_calculated_at: string | null;
}
