import { useEffect, useState } from "react";
function useJson(path: string): [any, boolean] {
  const [body, setBody] = useState<any>();
  const [busy, setBusy] = useState(true);
  useEffect(() => {
    let gone = false;
    fetch(`/api/v1${path}`).then((r) => r.json()).then((b) => { if (!gone) { setBody(b); setBusy(false); } });
    return () => { gone = true; };
  }, [path]);
  return [body, busy];
}
export function A({ id }: { id: string }) {
  const [body, busy] = useJson(`/passports/${id}`); // call: passport
  const [creds] = useJson(`/passport_credentials?passport_id=${id}`); // call: passport-credentials
  if (busy) return null;
  return <p>{body.passport.score}{creds.passport_credentials.map((c: any) => <i key={c.id}>{c.category}</i>)}</p>; // read: passport.score, passport_credentials[].id, passport_credentials[].category
}
