const { api } = require('@pagerduty/pdjs')
const { pagerduty } = require('../config')

const pd = api({ token: pagerduty.token })

async function currentOnCall() {
  const { data } = await pd.get(`/oncalls?schedule_ids[]=${pagerduty.schedule}`)
  return data.oncalls.map((o) => ({ name: o.user.summary, until: o.end }))
}

async function createOverride(userId, start, end) {
  await pd.post(`/schedules/${pagerduty.schedule}/overrides`, {
    data: { override: { start, end, user: { id: userId, type: 'user_reference' } } },
  })
}

module.exports = { currentOnCall, createOverride }
