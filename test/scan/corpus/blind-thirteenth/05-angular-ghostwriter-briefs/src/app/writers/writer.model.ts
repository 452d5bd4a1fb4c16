export interface WriterDto {
  passport_id: number;
  score: number;
  calculating_score: boolean;
  last_calculated_at: string | null;
  main_wallet: string;
  passport_profile: {
    display_name: string;
    bio: string | null;
    location: string | null;
    tags: string[];
  };
  passport_socials: SocialDto[];
}

export interface SocialDto {
  source: string;
  profile_display_name: string | null;
  profile_url: string | null;
  follower_count: string;
  following_count: string;
}

export interface CredentialDto {
  id: string;
  name: string;
  type: string;
  score: number;
  earned_at: string | null;
}

export class Writer {
  constructor(private readonly dto: WriterDto) {}

  get id() {
    return this.dto.passport_id;
  }

  get name() {
    return this.dto.passport_profile.display_name || this.dto.main_wallet.slice(0, 8);
  }

  get score() {
    return this.dto.score;
  }

  get bio() {
    return this.dto.passport_profile.bio ?? '';
  }

  get stale() {
    const at = this.dto.last_calculated_at;
    return this.dto.calculating_score || !at || Date.now() - Date.parse(at) > 30 * 864e5;
  }

  get socials(): SocialDto[] {
    return this.dto.passport_socials;
  }

  get reach(): number {
    return this.socials.reduce((sum, s) => sum + parseInt(s.follower_count, 10), 0);
  }
}
