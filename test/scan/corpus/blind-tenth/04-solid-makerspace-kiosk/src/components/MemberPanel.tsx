import { For, Show, createMemo, createResource, type Component } from 'solid-js'
import { fetchBadges, fetchMachines, fetchMember } from '../lib/remote'
import { canUse, latest } from '../lib/access'

export const MemberPanel: Component<{ card: string }> = (props) => {
  const [member] = createResource(() => props.card, fetchMember)
  const [badges] = createResource(member, fetchBadges, { initialValue: [] })
  const [machines] = createResource(fetchMachines, { initialValue: [] })

  const usable = createMemo(() => {
    const m = member()
    return m ? machines().filter((machine) => canUse(machine, m, badges())) : []
  })
  const activities = () => badges().filter((b) => b.category === 'Activity')

  return (
    <Show when={member()} fallback={<p>Hold your card to the reader.</p>}>
      {(m) => (
        <section>
          <h1>Hi {m().passport_profile.display_name}!</h1>
          <meter min={0} max={100} value={m().activity_score} />
          <p>{m().verified_wallets.length} wallets on file</p>
          <h2>Machines you can use</h2>
          <ul>
            <For each={usable()} fallback={<li>None yet. Ask at the desk for a training.</li>}>
              {(machine) => (
                <li class={machine.type}>
                  {machine.name} <small>from skill {machine.minSkill}</small>
                </li>
              )}
            </For>
          </ul>
          <details>
            <summary>Badges, updated {latest(badges()) ?? 'never'}</summary>
            <For each={activities()}>
              {(badge) => (
                <p data-id={badge.id}>
                  {badge.type}: {badge.value}
                </p>
              )}
            </For>
          </details>
        </section>
      )}
    </Show>
  )
}
