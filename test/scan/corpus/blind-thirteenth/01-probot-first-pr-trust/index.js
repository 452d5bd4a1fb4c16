import { githubCredentials, lookup } from './lib/talent.js'
import { walletFor } from './lib/registry.js'
import { render } from './lib/comment.js'

const FIRST_TIMER = new Set(['FIRST_TIMER', 'FIRST_TIME_CONTRIBUTOR', 'NONE'])

/** @param {import('probot').Probot} app */
export default (app) => {
  app.on('pull_request.opened', async (context) => {
    const { pull_request: pr } = context.payload
    if (!FIRST_TIMER.has(pr.author_association) || pr.user.type === 'Bot') return

    const config = await context.config('first-pr-trust.yml', { threshold: 40, label: 'known-builder' })
    const wallet = await walletFor(context, pr.user.login)
    if (!wallet) return context.log.debug(`no wallet on file for ${pr.user.login}`)

    let passport = null
    let credentials = []
    try {
      passport = await lookup(wallet)
      credentials = await githubCredentials(passport.passport_id)
    } catch (err) {
      context.log.warn({ err }, 'reputation lookup failed')
      return
    }

    if (passport.score >= config.threshold || passport.human_checkmark) {
      await context.octokit.issues.addLabels(context.issue({ labels: [config.label] }))
    }

    const linked = passport.passport_socials?.some(
      (s) => s.source === 'github' && s.profile_name?.toLowerCase() === pr.user.login.toLowerCase(),
    )
    await context.octokit.issues.createComment(
      context.issue({ body: render({ login: pr.user.login, passport, credentials, linked }) }),
    )
  })

  app.on('issue_comment.created', async (context) => {
    const { comment, issue } = context.payload
    if (!issue.pull_request || comment.body.trim() !== '/trust') return
    const wallet = await walletFor(context, issue.user.login)
    const score = wallet ? await lookup(wallet).then((p) => p.score).catch(() => 0) : 0
    await context.octokit.issues.createComment(
      context.issue({ body: `@${issue.user.login} is at **${score}** right now.` }),
    )
  })
}
