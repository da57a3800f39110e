/** The date of an instant in this computer's time zone, as `2026-11-21`. */
export function localDay(atMs: number): string {
  const date = new Date(atMs)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** Today's date in this computer's time zone, as `2026-11-21`. */
export const today = (): string => localDay(Date.now())
