import { json, type LoaderFunctionArgs } from '@remix-run/node'
import { Form, Link, useLoaderData, useSearchParams } from '@remix-run/react'
import { jurorPool } from '~/models/juror.server'

export async function loader({ request }: LoaderFunctionArgs) {
  const url = new URL(request.url)
  return json(await jurorPool(Number(url.searchParams.get('page') ?? 1), url.searchParams.get('q') ?? undefined))
}

export default function Pool() {
  const { cards, pages, total } = useLoaderData<typeof loader>()
  const [params] = useSearchParams()
  const page = Number(params.get('page') ?? 1)

  return (
    <main>
      <h1>{total} in the pool</h1>
      <Form>
        <input name="q" defaultValue={params.get('q') ?? ''} />
      </Form>
      <table>
        <tbody>
          {cards.map((card) => (
            <tr key={card.id} className={card.eligible ? '' : 'pale'}>
              <td>
                <Link to={`/jurors/${card.id}`}>{card.name}</Link>
              </td>
              <td>{card.city}</td>
              <td>{card.score}</td>
              <td>{card.busy ? 'in a case' : 'free'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {page < pages && <Link to={`?page=${page + 1}`}>Next</Link>}
    </main>
  )
}
