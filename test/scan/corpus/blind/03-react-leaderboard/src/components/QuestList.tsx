import { useQuests } from '../hooks/usePassports'

export function QuestList() {
  const { data: quests = [] } = useQuests()
  return (
    <ol>
      {quests.map((quest) => (
        <li key={quest.id}>
          {quest.title} <b>+{quest.score}</b>
        </li>
      ))}
    </ol>
  )
}
