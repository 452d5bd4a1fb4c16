const seen = new WeakSet()

function colour(score) {
  if (score >= 80) return 'gold'
  if (score >= 40) return 'green'
  return 'grey'
}

function makeBadge(passport) {
  const badge = document.createElement('span')
  badge.className = 'builder-badge'
  badge.style.color = colour(passport.score)
  badge.textContent = passport.calculating_score ? '…' : `◆ ${passport.score}`

  const { passport_profile: profile, human_checkmark } = passport
  badge.title = [
    profile?.display_name,
    profile?.location && `from ${profile.location}`,
    human_checkmark ? 'verified human' : 'not verified',
    `activity ${passport.activity_score}, skills ${passport.skills_score}`,
  ]
    .filter(Boolean)
    .join('\n')

  badge.addEventListener('click', (event) => {
    event.preventDefault()
    window.open(`https://passport.talentprotocol.com/profile/${passport.passport_id}`)
  })
  return badge
}

async function decorate(node) {
  if (seen.has(node)) return
  seen.add(node)
  const link = node.querySelector('a[href^="/"]')
  const handle = link?.getAttribute('href').slice(1)
  if (!handle || handle.includes('/')) return

  const { passport } = await chrome.runtime.sendMessage({ type: 'lookup', handle })
  if (passport) node.appendChild(makeBadge(passport))
}

const observer = new MutationObserver(() => {
  document.querySelectorAll('[data-testid="User-Name"]').forEach(decorate)
})

observer.observe(document.body, { childList: true, subtree: true })
