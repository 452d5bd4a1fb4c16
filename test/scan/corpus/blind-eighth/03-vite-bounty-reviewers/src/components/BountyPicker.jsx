export default function BountyPicker({ bounties, value, onChange }) {
  return (
    <select value={value?.id ?? ''} onChange={(e) => onChange(bounties.find((b) => b.id === e.target.value))}>
      <option value="">Any bounty</option>
      {bounties.map((b) => (
        <option key={b.id} value={b.id}>
          {b.name} ({b.category}, {b.score} points)
        </option>
      ))}
    </select>
  )
}
