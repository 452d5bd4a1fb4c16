import { trpc } from '../utils/trpc'

export function BuilderBadge({ wallet }: { wallet: string }) {
  const { data: builder, isPending, error } = trpc.builder.byWallet.useQuery({ wallet })
  const points = trpc.builder.points.useQuery({ id: builder?.id ?? 0 }, { enabled: !!builder })

  if (isPending) return <span className="skeleton" />
  if (error) return <span title={error.message}>–</span>

  return (
    <div className="badge">
      {builder.avatar && <img src={builder.avatar} alt="" />}
      <b>{builder.display_name}</b>
      <em>{builder.score}</em>
      <p>{builder.bio}</p>
      {builder.farcaster && <a href={`https://warpcast.com/${builder.farcaster}`}>@{builder.farcaster}</a>}
      <ul>
        {Object.entries(points.data?.totals ?? {}).map(([category, score]) => (
          <li key={category}>
            {category}: {score}
          </li>
        ))}
      </ul>
    </div>
  )
}
