"use client";

import { useFormState, useFormStatus } from "react-dom";
import { apply, type ActionState } from "../actions";

function Submit() {
  const { pending } = useFormStatus();
  return <button disabled={pending}>{pending ? "Sending…" : "Apply"}</button>;
}

export function ApplyForm({ wallet }: { wallet: string }) {
  const [state, action] = useFormState<ActionState, FormData>(apply, {});
  if (state.applicationId) return <p>Thank you! Your application is {state.applicationId}</p>;
  return (
    <form action={action}>
      <input type="hidden" name="wallet" value={wallet} />
      <input name="title" placeholder="What do you want to build?" />
      <select name="category">
        <option value="tooling">Tooling</option>
        <option value="community">Community</option>
        <option value="research">Research</option>
      </select>
      {state.error && <p role="alert">{state.error}</p>}
      <Submit />
    </form>
  );
}
