export function renderTable(builders) {
  const head = '| # | Builder | Score | GitHub | Location |\n|---|---|---|---|---|'
  const rows = builders.map((b, i) => {
    const gh = b.github ? `[${b.github.login}](https://github.com/${b.github.login}) (${b.github.followers})` : ''
    return `| ${i + 1} | ${b.name} | ${b.score} | ${gh} | ${b.github?.location ?? b.location ?? ''} |`
  })
  return [head, ...rows].join('\n')
}

export function inject(markdown, table) {
  return markdown.replace(/(<!-- top:start -->)[\s\S]*(<!-- top:end -->)/, `$1\n${table}\n$2`)
}
