/** `xsd:decimal` allows no exponents. Seven decimals are a centimetre. */
export function xmlDecimal(value: number): string {
  return value
    .toFixed(7)
    .replace(/\.?0+$/, '')
    .replace(/^-0$/, '0')
}
