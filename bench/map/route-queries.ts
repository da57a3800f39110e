import { distanceNm, type Point } from '../../src/shared/chargers/distance.ts'

const [LEAST_NM, MOST_NM] = [300, 900]

/**
 * Queries of routes between chargers of the set that are some hours apart, half of them by a third one; the same for the same set.
 */
export function routeQueries(
  chargers: Uint8Array,
  count: number,
  aircraft: string,
): { direct: string[]; via: string[] } {
  const { chargers: all } = JSON.parse(Buffer.from(chargers).toString()) as { chargers: { location: Point | null }[] }
  const places = all.flatMap(({ location }) => (location === null ? [] : [location]))
  const far = (from: Point, at: number): Point => {
    for (let step = 0; step < places.length; step += 1) {
      const there = places[(at + step * 97) % places.length]!
      const nm = distanceNm(from, there) ?? 0
      if (nm >= LEAST_NM && nm <= MOST_NM) return there
    }
    throw new Error('the chargers lie too close together')
  }
  const text = ({ lat, lng }: Point, name: string) => `${lat},${lng},${name}`
  const queries = Array.from({ length: count }, (_, at) => {
    const from = places[(at * 7919) % places.length]!
    const via = far(from, at * 104_729 + 1)
    const to = far(via, at * 15_485_863 + 2)
    return { from: text(from, 'A'), via: text(via, 'V'), to: text(to, 'B') }
  })
  return {
    direct: queries.map(({ from, via }) => `from=${from}&to=${via}&${aircraft}`),
    via: queries.map(({ from, via, to }) => `from=${from}&via=${via}&to=${to}&${aircraft}`),
  }
}
