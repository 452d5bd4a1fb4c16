const id = new URLSearchParams(location.search).get('id')

async function weather() {
  const res = await fetch('https://api.open-meteo.com/v1/forecast?latitude=46.6&longitude=15.6&current=temperature_2m')
  return res.ok ? (await res.json()).current.temperature_2m : null
}

async function show() {
  const res = await fetch(`/api/v1/passports/${id}`)
  if (!res.ok) {
    document.body.textContent = 'This booklet does not exist.'
    return
  }
  const { passport } = await res.json()
  document.querySelector('h1').textContent = passport.display_name ?? 'Guest'
  document.querySelector('#score').textContent = `${passport.score} points`
  document.querySelector('#stamps').replaceChildren(
    ...passport.stamps.map(({ winery, category, earned_at }) => {
      const li = document.createElement('li')
      li.textContent = `${winery}: ${category}, ${new Date(earned_at).toLocaleDateString()}`
      return li
    }),
  )
  const degrees = await weather()
  if (degrees !== null) document.querySelector('#weather').textContent = `${degrees} °C on the wine road`
}

show()
