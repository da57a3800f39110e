export type Current = 'AC' | 'DC'

const AC_WORDS = new Set(['ac', 'acdc', 'dcac', 'alternating', 'wechselstrom'])
const DC_WORDS = new Set(['dc', 'acdc', 'dcac', 'dcfc', 'direct', 'gleichstrom'])
const MAX_CHARS = 200

/**
 * Which currents a charger's `type` names: both for "AC/DC", DC for "dc fast", none for a text that names neither. The
 * document shows `AC` and `DC` only as examples.
 */
export function currentsOf(type: string | null | undefined): readonly Current[] {
  if (typeof type !== 'string') return []
  const words =
    type
      .slice(0, MAX_CHARS)
      .normalize('NFKC')
      .toLowerCase()
      .match(/[a-z]+/g) ?? []
  return [
    ...(words.some((word) => AC_WORDS.has(word)) ? (['AC'] as const) : []),
    ...(words.some((word) => DC_WORDS.has(word)) ? (['DC'] as const) : []),
  ]
}
