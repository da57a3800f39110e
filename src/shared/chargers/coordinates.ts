import { isPoint, type Point } from './distance.ts'

/** "47.26217, 11.34400", to about a metre, in the form that maps accept; null for invalid coordinates. */
export function decimalDegrees(point: Point | null | undefined): string | null {
  return isPoint(point) ? `${decimal(point.lat)}, ${decimal(point.lng)}` : null
}

/** "N 47° 15.73′ E 011° 20.64′", as pilots read it; null for invalid coordinates. */
export function degreesMinutes(point: Point | null | undefined): string | null {
  return isPoint(point) ? `${angle(point.lat, 'N', 'S', 2)} ${angle(point.lng, 'E', 'W', 3)}` : null
}

function angle(degrees: number, positive: string, negative: string, digits: number): string {
  // Rounded before it is split, so that 59.999 minutes become the next degree and not 60.00.
  const hundredths = Math.round(Math.abs(degrees) * 6000)
  const whole = String(Math.floor(hundredths / 6000)).padStart(digits, '0')
  const minutes = ((hundredths % 6000) / 100).toFixed(2).padStart(5, '0')
  return `${degrees < 0 && hundredths > 0 ? negative : positive} ${whole}° ${minutes}′`
}

/** Without a sign for nought. */
const decimal = (degrees: number) => (Math.round(degrees * 1e5) / 1e5 + 0).toFixed(5)
