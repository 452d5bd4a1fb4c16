import { plainToInstance } from "class-transformer";
import { IsNumber } from "class-validator";
export class PassportDto {
  @IsNumber() score!: number;
  main_wallet!: string;
  human_checkmark!: boolean;
}
export async function load(id: string): Promise<PassportDto> {
  const res = await fetch(`https://rep.example.org/api/v1/passports/${id}`); // call: passport
  const body = await res.json();
  return plainToInstance(PassportDto, body.passport);
}
