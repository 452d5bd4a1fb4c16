import { Injectable } from '@nestjs/common';
import { firstValueFrom } from 'rxjs';
import { CredentialDto, PassportDto } from './dto/talent.dto';
import { ReportDto } from './dto/report.dto';
import { EtherscanSource } from './sources/etherscan.source';
import { GithubSource, GithubUser } from './sources/github.source';
import { TalentSource } from './sources/talent.source';

const MONTH = 30 * 24 * 3600 * 1000;

@Injectable()
export class ReportsService {
  constructor(
    private readonly talent: TalentSource,
    private readonly github: GithubSource,
    private readonly etherscan: EtherscanSource,
  ) {}

  async report(address: string): Promise<ReportDto> {
    const [passport, txs] = await Promise.all([
      firstValueFrom(this.talent.passport(address)),
      this.etherscan.transactionCount(address),
    ]);
    const login = passport?.passport_socials?.find((s) => s.source === 'github')?.profile_name;
    const user = login ? await this.github.user(login) : null;
    const credentials = passport ? await this.talent.credentials(passport.passport_id).catch(() => []) : [];

    const findings = [
      ...this.identityFindings(passport, user),
      ...this.credentialFindings(credentials),
      ...(txs < 10 ? ['wallet is nearly unused'] : []),
    ];

    return {
      address,
      score: passport?.score ?? 0,
      confidence: findings.length > 3 ? 'low' : findings.length > 0 ? 'medium' : 'high',
      findings,
      display_name: passport?.passport_profile?.display_name ?? user?.name ?? null,
    };
  }

  async candidates(keyword: string) {
    const found = await this.talent.search(keyword);
    return found
      .filter((p) => p.human_checkmark && p.main_wallet)
      .map((p) => ({ address: p.main_wallet, label: p.passport_profile?.display_name, score: p.score }));
  }

  private identityFindings(passport: PassportDto | null, user: GithubUser | null): string[] {
    if (!passport) return ['no passport'];
    const out: string[] = [];
    if (passport.merged) out.push('passport was merged');
    if (!passport.human_checkmark) out.push('humanity not proven');
    if (passport.identity_score < 10) out.push('weak identity');
    if (passport.verified_wallets.length > 5) out.push('unusually many wallets');
    if (!passport.last_calculated_at || Date.now() - Date.parse(passport.last_calculated_at) > MONTH) {
      out.push('score is stale');
    }
    if (user?.location && passport.passport_profile?.location && user.location !== passport.passport_profile.location) {
      out.push(`two places: ${user.location}, ${passport.passport_profile.location}`);
    }
    const farcaster = passport.passport_socials?.find(({ source }) => source === 'farcaster');
    if (farcaster && Number(farcaster.follower_count) < (user?.followers ?? 0)) out.push('more famous for code than for words');
    return out;
  }

  private credentialFindings(credentials: CredentialDto[]): string[] {
    return credentials
      .filter((c) => c.category === 'Identity' && c.score === 0 && c.max_score > 0)
      .map((c) => `not earned: ${c.name} (${c.type})`);
  }
}
