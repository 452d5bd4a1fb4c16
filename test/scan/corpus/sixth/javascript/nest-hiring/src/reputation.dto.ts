export class PassportProfileDto {
  bio?: string;
  display_name: string;
  location?: string;
  tags: string[];
}

export class PassportSocialDto {
  source: string;
  profile_url: string;
  follower_count: string;
  following_count: string;
}

export class PassportDto {
  passport_id: number;
  score: number;
  skills_score: number;
  main_wallet: string;
  merged?: boolean;
  last_calculated_at: string;
  passport_profile: PassportProfileDto;
  passport_socials?: PassportSocialDto[];
}

export class PassportListDto {
  passports: PassportDto[];
  pagination: { current_page: number; last_page: number; total: number };
}
