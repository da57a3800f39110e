import { isPoint, type Point } from './distance.ts'

/** "47.26217, 11.34400", to about a metre, in the form that maps accept; null for invalid coordinates. */
export function decimalDegrees(point: Point | null | undefined): string | null {
  return isPoint(point) ? `${decimal(point.lat)}, ${decimal(point.lng)}` : null
}

/** "N 47° 15.73′ E 011° 20.64′", as pilots read it; null for invalid coordinates. */
export function degreesMinutes(point: Point | null | undefined): string | null {
  if (!isPoint(point)) return null
  const [lat, lng] = anglesOf(point, 2).map(({ side, whole, minutes }) => `${side} ${whole}° ${minutes}′`)
  return `${lat} ${lng}`
}

/** Latitude and longitude in whole degrees and minutes with so many decimals. */
export function anglesOf({ lat, lng }: Point, decimals: number) {
  const angle = (degrees: number, digits: number, [positive, negative]: string) => {
    // Rounded before it is split, so that 59.999 minutes become the next degree and not 60.00.
    const perDegree = 60 * 10 ** decimals
    const parts = Math.round(Math.abs(degrees) * perDegree)
    const whole = String(Math.floor(parts / perDegree)).padStart(digits, '0')
    const minutes = ((parts % perDegree) / 10 ** decimals).toFixed(decimals).padStart(decimals + 3, '0')
    return { whole, minutes, side: degrees < 0 && parts > 0 ? negative : positive }
  }
  return [angle(lat, 2, 'NS'), angle(lng, 3, 'EW')]
}

/** Without a sign for nought. */
const decimal = (degrees: number) => (Math.round(degrees * 1e5) / 1e5 + 0).toFixed(5)
