import { useEffect, useState } from "react";
import { Row } from "./row";
export function List() {
  const [people, setPeople] = useState([]);
  useEffect(() => {
    (async () => {
      const r = await fetch("/api/v1/passports?keyword=a"); // call: passport-list
      const body = await r.json();
      setPeople(body.passports);
    })();
  }, []);
  return <ul>{people.map((p) => <Row key={p.passport_id} person={p} />)}</ul>; // read: passports[].passport_id
}
