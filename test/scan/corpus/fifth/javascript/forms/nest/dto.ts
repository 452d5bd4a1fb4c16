import { Expose, Type } from "class-transformer";
export class ProfileDto { @Expose() display_name: string; @Expose() bio: string; @Expose() tags: string[]; }
export class PassportDto {
  @Expose() passport_id: number;
  @Expose() score: number;
  @Expose() human_checkmark: boolean;
  @Type(() => ProfileDto) passport_profile: ProfileDto;
  label() { return this.passport_profile.display_name + this.human_checkmark; } // read: passport.passport_profile.display_name, passport.human_checkmark
}
