import { PassportService } from "./passport-service";

export class CardComponent {
  title = "";
  tags: string[] = [];

  constructor(private passports: PassportService) {}

  open(id: string) {
    this.passports.find(id).subscribe((holder) => {
      this.title = holder.passport_profile.display_name; // read: passport.passport_profile.display_name
      this.tags = holder.passport_profile.tags; // read: passport.passport_profile.tags[]
    });
  }
}
