import { Injectable, NotFoundException } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Candidate } from './candidate.entity';
import { ReputationService } from './reputation.service';

@Injectable()
export class CandidatesService {
  constructor(
    @InjectRepository(Candidate) private readonly candidates: Repository<Candidate>,
    private readonly reputation: ReputationService,
  ) {}

  async discover(keyword: string) {
    const result = await this.reputation.search(keyword);
    return {
      total: result.pagination.total, // read: pagination.total
      items: result.passports
        .filter((p) => p.skills_score > 20) // read: passports[].skills_score
        .map((p) => ({
          id: p.passport_id, // read: passports[].passport_id
          name: p.passport_profile.display_name, // read: passports[].passport_profile.display_name
          place: p.passport_profile.location, // read: passports[].passport_profile.location
        })),
    };
  }

  async refresh(passportId: number): Promise<Candidate> {
    const passport = await this.reputation.findOne(passportId);
    if (!passport) throw new NotFoundException();

    const candidate = await this.candidates.findOneByOrFail({ passportId });
    candidate.score = passport.score; // read: passport.score
    candidate.wallet = passport.main_wallet; // read: passport.main_wallet
    candidate.scoredAt = new Date(passport.last_calculated_at); // read: passport.last_calculated_at
    candidate.reach = (passport.passport_socials ?? []) // read: passport.passport_socials; hazard: fallback-default
      .map((social) => parseInt(social.follower_count, 10)) // read: passport.passport_socials[].follower_count
      .reduce((a, b) => a + b, 0);
    return this.candidates.save(candidate);
  }

  async ranking(): Promise<string[]> {
    const rows = await this.candidates.find({ order: { score: 'DESC' } });
    return rows.map((row) => `${row.display_name} ${row.score ?? 0} ${row.location}`);
  }
}
