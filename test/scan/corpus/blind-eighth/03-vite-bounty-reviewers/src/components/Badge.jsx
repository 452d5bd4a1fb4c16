export default function Badge({ score, human }) {
  const tone = score > 80 ? 'gold' : score > 40 ? 'silver' : 'grey'
  return (
    <span className={`badge badge-${tone}`}>
      {score} {human ? '✓' : null}
    </span>
  )
}
