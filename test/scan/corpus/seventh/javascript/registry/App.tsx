import useSWR from "swr";

const fetcher = (url: string) => fetch(url).then((r) => r.json());

function ScoreCard({ passport }: any) {
  return <b>{passport.score}</b>; // read: passport.score
}

function HumanBadge({ passport }: any) {
  return passport.human_checkmark ? <i>human</i> : null; // read: passport.human_checkmark
}

const widgets: Record<string, React.FC<any>> = { score: ScoreCard, human: HumanBadge };

export default function App({ id, kinds }: { id: string; kinds: string[] }) {
  const { data } = useSWR(`https://api.example.com/api/v1/passports/${id}`, fetcher); // call: passport
  if (!data) return <p>Loading</p>;
  return (
    <>
      {kinds.map((kind) => {
        const Widget = widgets[kind];
        return <Widget key={kind} passport={data.passport} />;
      })}
    </>
  );
}
