import ReviewerRow from './ReviewerRow'

export default function ReviewerTable({ reviewers, total, myId, onSelect, selectedId }) {
  return (
    <table>
      <caption>
        {reviewers.length} of {total} can review
      </caption>
      <tbody>
        {reviewers.map((reviewer) => (
          <ReviewerRow
            key={reviewer.passport_id}
            reviewer={reviewer}
            isMe={reviewer.passport_id === myId}
            active={reviewer.passport_id === selectedId}
            onSelect={onSelect}
          />
        ))}
      </tbody>
    </table>
  )
}
