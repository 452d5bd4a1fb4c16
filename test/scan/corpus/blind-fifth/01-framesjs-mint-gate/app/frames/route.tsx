/* eslint-disable react/jsx-key */
import { Button } from "frames.js/next";
import { frames } from "./frames";
import { bestPassport, countSkills } from "../../lib/talent";
import { looksReal, userByFid } from "../../lib/neynar";

const MIN_SCORE = Number(process.env.MIN_SCORE ?? 40);

function Card({ title, lines }: { title: string; lines: string[] }) {
  return (
    <div tw="flex flex-col w-full h-full bg-slate-900 text-white p-12">
      <div tw="flex text-6xl">{title}</div>
      {lines.map((l) => (
        <div tw="flex text-3xl mt-4">{l}</div>
      ))}
    </div>
  );
}

const handler = frames(async (ctx) => {
  if (!ctx.message) {
    return {
      image: <Card title="Base Builders Mint" lines={["Free for builders", `score ${MIN_SCORE}+`]} />,
      buttons: [<Button action="post">Check me</Button>],
    };
  }

  const user = await userByFid(ctx.message.requesterFid);
  if (!looksReal(user)) {
    return { image: <Card title="Sorry" lines={[`@${user.username}, your account is too new`]} /> };
  }

  const passport = await bestPassport(user.verified_addresses.eth_addresses);
  if (!passport) {
    return {
      image: <Card title="No passport" lines={["Create one and come back"]} />,
      buttons: [
        <Button action="link" target="https://passport.talentprotocol.com">
          Create
        </Button>,
      ],
    };
  }

  if (passport.calculating_score) {
    return { image: <Card title="Hold on" lines={["Your score is being calculated"]} /> };
  }

  const skills = await countSkills(passport.passport_id);
  const name = passport.passport_profile?.display_name || user.display_name;
  const eligible = passport.score >= MIN_SCORE && passport.human_checkmark;

  return {
    image: (
      <Card
        title={eligible ? `Welcome ${name}` : `Not yet, ${name}`}
        lines={[
          `Score ${passport.score} of ${MIN_SCORE}`,
          `${skills} skill credentials`,
          passport.human_checkmark ? "Human ✓" : "Human checkmark missing",
        ]}
      />
    ),
    buttons: eligible
      ? [
          <Button action="tx" target={`/tx?to=${passport.main_wallet}`}>
            Mint
          </Button>,
        ]
      : [<Button action="post">Try again</Button>],
  };
});

export const GET = handler;
export const POST = handler;
