import { ApiProperty } from '@nestjs/swagger';

export class BadgeDto {
  @ApiProperty() slug: string;
  @ApiProperty() label: string;
  @ApiProperty({ nullable: true }) earnedAt: Date | null;
}

export class ReputationDto {
  @ApiProperty() externalId: number;
  @ApiProperty() score: number;
  @ApiProperty() isHuman: boolean;
  @ApiProperty({ type: [String] }) wallets: string[];
  @ApiProperty({ type: [BadgeDto] }) badges: BadgeDto[];
  @ApiProperty() stale: boolean;
}
