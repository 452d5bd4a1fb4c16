import { usePassport, useList } from "./hooks";
import type { FC } from "react";
type Props = { person: any; onPick: (id: number) => void };
const Row: FC<Props> = ({ person, onPick }) => <li onClick={() => onPick(person.passport_id)}>{person.passport_profile.display_name}</li>; // read: passports[].passport_id, passports[].passport_profile.display_name
export const View = ({ id }: { id: string }) => {
  const { data: p, isPending } = usePassport(id);
  const list = useList("x");
  const rows = list.data?.pages.flatMap((page) => page.passports) ?? []; // hazard: fallback-default
  const best = useMemo(() => [...rows].sort((a, b) => b.score - a.score)[0], [rows]); // read: passports[].score
  useEffect(() => { document.title = p.main_wallet; }, [p]); // read: passport.main_wallet
  const [sel, setSel] = useState(best);
  return (
    <main>
      <Badge value={p.identity_score} /> {/* read: passport.identity_score */}
      {rows.map((r) => <Row key={r.passport_id} person={r} onPick={() => setSel(r)} />)} {/* read: passports[].passport_id */}
      {sel?.verified_wallets?.length} {/* read: passports[].verified_wallets[] */}
    </main>
  );
};
const Badge = ({ value }: { value: number }) => <b>{value}</b>;
