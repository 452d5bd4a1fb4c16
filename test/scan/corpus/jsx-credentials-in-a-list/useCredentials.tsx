import useSWR from "swr";
import React from "react";

const BASE = process.env.NEXT_PUBLIC_REP ?? "https://rep.example.org";
const fetcher = (path: string) => fetch(BASE + path).then((r) => r.json());

export function useCredentials(id: number) {
  const { data, error } = useSWR(`/api/v1/passport_credentials?passport_id=${id}`, fetcher); // call: passport-credentials
  return { credentials: data?.passport_credentials ?? [], error }; // hazard: fallback-default
}

export function CredentialTable({ id }: { id: number }) {
  const { credentials } = useCredentials(id);
  const total = credentials.reduce((sum: number, c: any) => sum + c.score, 0); // read: passport_credentials[].score
  return (
    <table>
      <caption>{total}</caption>
      <tbody>
        {credentials.map((c: any) => (
          <tr key={c.id}> {/* read: passport_credentials[].id */}
            <td>{c.name}</td> {/* read: passport_credentials[].name */}
            <td>{c.value || "n/a"}</td> {/* read: passport_credentials[].value */}
            <td>{new Date(c.last_calculated_at).toLocaleDateString()}</td> {/* read: passport_credentials[].last_calculated_at */}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
