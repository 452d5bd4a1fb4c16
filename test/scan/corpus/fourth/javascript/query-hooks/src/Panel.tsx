import React from "react";
import { usePassport, usePeople, useTrips } from "./hooks";

export function Panel({ id }: { id: string }) {
  const { data: passport, isLoading } = usePassport(id);
  const people = usePeople("maria");
  const trips = useTrips(id);

  if (isLoading || !passport) return null;
  return (
    <div>
      <b>{passport.score ?? 0}</b> {/* read: passport.score; hazard: fallback-default */}
      <i>{passport.passport_profile.display_name}</i> {/* read: passport.passport_profile.display_name */}
      {passport.calculating_score && <span>updating</span>} {/* read: passport.calculating_score */}
      <ul>
        {people.data?.pages
          .flatMap((page: any) => page.passports)
          .map((p: any) => (
            <li key={p.passport_id}>{p.main_wallet}</li> {/* read: passports[].passport_id, passports[].main_wallet */}
          ))}
      </ul>
      <footer>{trips.data?.score} {trips.data?.location}</footer>
    </div>
  );
}
