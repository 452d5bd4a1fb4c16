import useSWR from "swr";
import React from "react";

// not /api/v1/passports, this one is GitHub
const gh = (path: string) => fetch(`https://api.github.com${path}`).then((r) => r.json());

export function useFollowers(login: string) {
  const { data } = useSWR(`/users/${login}`, gh);
  return { followers: data?.followers ?? 0, name: data?.name, id: data?.id };
}

export function Followers({ login }: { login: string }) {
  const { followers, name, id } = useFollowers(login);
  return (
    <span key={id}>
      {name}: {followers}
    </span>
  );
}
