const REGIONS = [
  ['Iberia', /portugal|spain|lisbo|porto|madrid|barcelona/i],
  ['Cono Sur', /argentina|chile|uruguay|buenos aires|santiago/i],
  ['West Africa', /nigeria|ghana|lagos|accra|abuja/i],
  ['South Asia', /india|bangladesh|nepal|bengaluru|delhi/i],
]

export function regionOf(place) {
  if (!place) return 'unknown'
  const hit = REGIONS.find(([, re]) => re.test(place))
  return hit ? hit[0] : 'elsewhere'
}
