import { notFound } from 'next/navigation'
import { eq } from 'drizzle-orm'
import { applications, db } from '@/lib/db'
import { getReputation, getSkills } from '@/lib/reputation'

export default async function ApplicationPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params
  const application = await db.query.applications.findFirst({ where: eq(applications.id, Number(id)) })
  if (!application) notFound()

  const person = await getReputation(application.wallet)
  const skills = await getSkills(person.id)

  return (
    <main>
      <h1>{person.name}</h1>
      <p>
        Applied for {application.weeks} weeks with score {application.score}; now {person.score}
        {person.asOf && <small> as of {new Date(person.asOf).toLocaleDateString('en-GB')}</small>}
      </p>
      {person.about && <blockquote>{person.about}</blockquote>}
      <p>{person.tags.join(' · ')}</p>
      <table>
        <tbody>
          {skills.map((skill) => (
            <tr key={skill.key}>
              <td>{skill.label}</td>
              <td>{Math.round(skill.level * 100)} %</td>
              <td>{skill.since}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </main>
  )
}
