import { HttpService } from '@nestjs/axios';
import { CACHE_MANAGER } from '@nestjs/cache-manager';
import { Inject, Injectable, Logger, NotFoundException, ServiceUnavailableException } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { AxiosError } from 'axios';
import { Cache } from 'cache-manager';
import { catchError, firstValueFrom, map, of } from 'rxjs';
import { BadgeDto, ReputationDto } from './dto/reputation.dto';
import { TalentCredential, TalentCredentialsResponse, TalentPassport, TalentPassportResponse } from './interfaces/talent.interface';

const THIRTY_DAYS = 30 * 24 * 3600 * 1000;

@Injectable()
export class ReputationService {
  private readonly logger = new Logger(ReputationService.name);
  private readonly baseUrl: string;

  constructor(
    private readonly http: HttpService,
    private readonly config: ConfigService,
    @Inject(CACHE_MANAGER) private readonly cache: Cache,
  ) {
    this.baseUrl = this.config.getOrThrow<string>('TALENT_API_URL'); // https://api.talentprotocol.com/api/v1
  }

  private get headers() {
    return { 'X-API-KEY': this.config.get<string>('TALENT_API_KEY') };
  }

  async getReputation(address: string): Promise<ReputationDto> {
    const key = `reputation:${address.toLowerCase()}`;
    const cached = await this.cache.get<ReputationDto>(key);
    if (cached) return cached;

    const passport = await this.fetchPassport(address);
    const credentials = await this.fetchCredentials(passport.passport_id);
    const dto = this.toDto(passport, credentials);
    await this.cache.set(key, dto, dto.score > 0 ? 3_600_000 : 60_000);
    return dto;
  }

  private async fetchPassport(address: string): Promise<TalentPassport> {
    try {
      const { data } = await firstValueFrom(
        this.http.get<TalentPassportResponse>(`${this.baseUrl}/passports/${address}`, { headers: this.headers }),
      );
      return data.passport;
    } catch (e) {
      if (e instanceof AxiosError && e.response?.status === 404) throw new NotFoundException(address);
      this.logger.error(`passport of ${address}: ${(e as Error).message}`);
      throw new ServiceUnavailableException('reputation provider');
    }
  }

  private fetchCredentials(passportId: number): Promise<TalentCredential[]> {
    return firstValueFrom(
      this.http
        .get<TalentCredentialsResponse>(`${this.baseUrl}/passport_credentials`, {
          headers: this.headers,
          params: { passport_id: passportId },
        })
        .pipe(
          map((res) => res.data.passport_credentials),
          catchError((e) => {
            this.logger.warn(`credentials of ${passportId}: ${e.message}`);
            return of([]);
          }),
        ),
    );
  }

  private toDto(passport: TalentPassport, credentials: TalentCredential[]): ReputationDto {
    const age = Date.now() - new Date(passport.last_calculated_at).getTime();
    return {
      externalId: passport.passport_id,
      score: passport.score,
      isHuman: passport.human_checkmark,
      wallets: passport.verified_wallets.map((w) => w.toLowerCase()),
      badges: credentials.filter((c) => c.score > 0).map((c) => this.toBadge(c)),
      stale: age > THIRTY_DAYS,
    };
  }

  private toBadge({ type, value, earned_at }: TalentCredential): BadgeDto {
    return { slug: type, label: value, earnedAt: earned_at ? new Date(earned_at) : null };
  }
}
