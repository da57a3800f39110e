const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** Making a formatter costs more than using it a hundred times, and a list shows hundreds of sizes at once. */
const formats = new Map<string, Intl.NumberFormat>()

/** `1234567` → "1.2 MB", in the language of a BCP 47 tag: powers of ten, as file managers count. */
export function sizeText(bytes: number, locale: string): string {
  let size = bytes
  let unit = 0
  while (Math.abs(size) >= 999.5 && unit < UNITS.length - 1) {
    size /= 1000
    unit += 1
  }
  const digits = unit === 0 || Math.abs(size) >= 99.95 ? 0 : 1
  const key = `${unit} ${digits} ${locale}`
  const format =
    formats.get(key) ??
    new Intl.NumberFormat(locale, {
      style: 'unit',
      unit: UNITS[unit]!,
      // The short form of bytes has no plural: "52 byte".
      unitDisplay: unit === 0 ? 'long' : 'short',
      maximumFractionDigits: digits,
    })
  formats.set(key, format)
  return format.format(size)
}
