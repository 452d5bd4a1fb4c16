import { initializeApp } from 'firebase-admin/app'
import { getFirestore } from 'firebase-admin/firestore'
import { onCall, HttpsError } from 'firebase-functions/v2/https'
import { onSchedule } from 'firebase-functions/v2/scheduler'
import pMap from 'p-map'
import { talentKey, usgs } from './clients.js'
import { toDoc, usable, type ObserverDoc } from './model.js'
import { observer, sensorPoints, walkObservers } from './observers.js'

initializeApp()
const db = getFirestore()

export const syncObservers = onSchedule({ schedule: 'every 24 hours', secrets: [talentKey] }, async () => {
  const writer = db.bulkWriter()
  await pMap(
    walkObservers('seismo'),
    async (raw) => {
      if (!usable(raw)) return
      const points = await sensorPoints(raw.passport_id!)
      void writer.set(db.doc(`observers/${raw.passport_id}`), toDoc(raw, points), { merge: true })
    },
    { concurrency: 2 },
  )
  await writer.close()
})

export const reportTremor = onCall<{ wallet: string; magnitude: number; lat: number; lon: number }>(
  { secrets: [talentKey] },
  async ({ data, auth }) => {
    if (!auth) throw new HttpsError('unauthenticated', 'Sign in first')

    const found = await observer(data.wallet)
    const credible = (found?.score ?? 0) > 20 || data.magnitude < 3

    const nearby = await usgs
      .get('query', { searchParams: { format: 'geojson', latitude: data.lat, longitude: data.lon, maxradiuskm: 200 } })
      .json<{ metadata: { count: number } }>()

    const ref = await db.collection('tremors').add({
      ...data,
      by: found?.passport_id ?? null,
      status: credible || nearby.metadata.count > 0 ? 'published' : 'review',
    })
    return { id: ref.id }
  },
)

export const topObservers = onCall(async () => {
  const snap = await db.collection('observers').orderBy('score', 'desc').limit(20).get()
  return snap.docs.map((d) => d.data() as ObserverDoc).map(({ name, score, place }) => ({ name, score, place }))
})
