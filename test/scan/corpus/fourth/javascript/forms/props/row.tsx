export function Row({ person }: { person: any }) {
  return <li>{person.score} {person.passport_profile.display_name}</li>; // read: passports[].score, passports[].passport_profile.display_name
}
