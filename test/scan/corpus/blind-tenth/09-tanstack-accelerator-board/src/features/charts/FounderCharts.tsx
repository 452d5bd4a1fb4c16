import { useQuery } from '@tanstack/react-query'
import { Bar, BarChart, PolarAngleAxis, Radar, RadarChart, Tooltip, XAxis, YAxis } from 'recharts'
import { listCredentials, listDeals, type Founder } from '../../services/founders'

export function FounderCharts({ founder }: { founder: Founder }) {
  const credentials = useQuery({ queryKey: ['credentials', founder.passport_id], queryFn: () => listCredentials(founder) })
  const deals = useQuery({ queryKey: ['deals', founder.passport_id], queryFn: () => listDeals(founder.passport_id) })

  const axes = [
    { axis: 'Activity', points: founder.activity_score },
    { axis: 'Identity', points: founder.identity_score },
    { axis: 'Skills', points: founder.skills_score },
  ]
  const earned = credentials.data?.filter((c) => c.earned_at && c.category !== 'Identity')

  return (
    <section>
      <RadarChart width={320} height={240} data={axes}>
        <PolarAngleAxis dataKey="axis" />
        <Radar dataKey="points" fillOpacity={0.4} />
      </RadarChart>
      <BarChart width={480} height={240} data={earned}>
        <XAxis dataKey="name" hide />
        <YAxis />
        <Tooltip />
        <Bar dataKey="score" stackId="a" />
        <Bar dataKey={(c) => c.max_score - c.score} name="left" stackId="a" />
      </BarChart>
      <ul>
        {deals.data?.deals.map((deal) => (
          <li key={deal.id}>
            {deal.name}: {deal.value} ({deal.score})
          </li>
        ))}
      </ul>
    </section>
  )
}
