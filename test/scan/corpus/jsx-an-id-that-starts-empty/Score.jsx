import { useState } from "react";

const API = "https://api.example.com/api/v1";

export function Score() {
  const [wallet, setWallet] = useState("");
  const [score, setScore] = useState(null);

  async function load() {
    try {
      const response = await fetch(`${API}/passports/${wallet || ""}`); // call: passport
      const { passport } = await response.json();
      setScore(passport.score); // read: passport.score
    } catch { // hazard: catch-default
      setScore(0);
    }
  }

  return (
    <form onSubmit={load}>
      <input onChange={(event) => setWallet(event.target.value)} />
      <b>{score}</b>
    </form>
  );
}
