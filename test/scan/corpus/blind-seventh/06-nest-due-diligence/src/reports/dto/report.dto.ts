import { ApiProperty } from '@nestjs/swagger';

export class ReportDto {
  @ApiProperty() address: string;
  @ApiProperty() score: number;
  @ApiProperty() confidence: 'low' | 'medium' | 'high';
  @ApiProperty({ type: [String] }) findings: string[];
  @ApiProperty({ nullable: true }) display_name: string | null;
}
