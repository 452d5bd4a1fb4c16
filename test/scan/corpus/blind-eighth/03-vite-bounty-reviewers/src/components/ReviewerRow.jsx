import Badge from './Badge'

export default function ReviewerRow({ reviewer, isMe, active, onSelect }) {
  const { passport_profile: profile, score, human_checkmark, main_wallet } = reviewer

  return (
    <tr className={active ? 'active' : ''} onClick={() => onSelect(reviewer)}>
      <td>{profile?.display_name || main_wallet}</td>
      <td>{profile?.tags?.join(', ')}</td>
      <td>
        <Badge score={score} human={human_checkmark} />
        {isMe && <em>you</em>}
      </td>
    </tr>
  )
}
