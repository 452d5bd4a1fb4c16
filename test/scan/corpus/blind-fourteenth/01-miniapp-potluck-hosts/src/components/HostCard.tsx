import type { Host } from '@/hooks/useHost'

export function HostCard({ host }: { host: Host }) {
  const { user, passport } = host

  return (
    <div className="rounded-2xl bg-amber-50 p-4">
      <div className="flex items-center gap-3">
        <img src={user.pfp_url} alt="" className="size-12 rounded-full" />
        <div>
          <p className="font-semibold">
            {passport?.passport_profile?.display_name || user.display_name}
            {passport?.human_checkmark && <span title="Verified human"> ✓</span>}
          </p>
          <p className="text-sm opacity-70">@{user.username} · {user.followers} followers</p>
        </div>
      </div>
      {passport ? (
        <dl className="mt-3 grid grid-cols-2 text-sm">
          <dt>Builder score</dt>
          <dd>{passport.score}</dd>
          <dt>Wallets</dt>
          <dd>{passport.verified_wallets.length}</dd>
          <dt>Cooks in</dt>
          <dd>{passport.passport_profile?.location ?? 'somewhere'}</dd>
        </dl>
      ) : (
        <p className="mt-3 text-sm">No Talent Passport yet</p>
      )}
    </div>
  )
}
