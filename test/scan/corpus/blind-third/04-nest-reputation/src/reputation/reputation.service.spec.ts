import { HttpService } from '@nestjs/axios';
import { CACHE_MANAGER } from '@nestjs/cache-manager';
import { ConfigService } from '@nestjs/config';
import { Test } from '@nestjs/testing';
import { of, throwError } from 'rxjs';
import { ReputationService } from './reputation.service';

const passport = {
  passport_id: 77,
  score: 61,
  human_checkmark: true,
  verified_wallets: ['0xABC'],
  last_calculated_at: '2024-10-01T12:35:50.602Z',
};

describe('ReputationService', () => {
  const get = jest.fn();
  let service: ReputationService;

  beforeEach(async () => {
    get.mockReset();
    const moduleRef = await Test.createTestingModule({
      providers: [
        ReputationService,
        { provide: HttpService, useValue: { get } },
        { provide: ConfigService, useValue: { get: () => 'k', getOrThrow: () => 'http://talent.test/api/v1' } },
        { provide: CACHE_MANAGER, useValue: { get: jest.fn(), set: jest.fn() } },
      ],
    }).compile();
    service = moduleRef.get(ReputationService);
  });

  it('survives missing credentials', async () => {
    get.mockReturnValueOnce(of({ data: { passport } }));
    get.mockReturnValueOnce(throwError(() => new Error('boom')));
    const dto = await service.getReputation('0xabc');
    expect(dto.score).toBe(61);
    expect(dto.wallets).toEqual(['0xabc']);
    expect(dto.badges).toEqual([]);
  });
});
