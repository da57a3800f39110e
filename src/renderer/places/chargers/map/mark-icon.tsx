import { isHollow, KIND_OF, type Kind, type Look } from '../data/look.ts'

/** How large a marker is in pixels, by its power. */
export const sizeOf = (kw: number | null): number => (kw === null || kw < 11 ? 20 : kw < 50 ? 23 : kw < 150 ? 27 : 32)

/* Outline and sign, around 0, 0, within 12 to each side. */
const PATHS: Readonly<Record<Kind, readonly [string, string]>> = {
  free: ['M0-10A10 10 0 1 1 0 10A10 10 0 1 1 0-10Z', 'M-4.5.3-1.3 3.6 4.7-3.4'],
  busy: ['M-6-9H6Q9-9 9-6V6Q9 9 6 9H-6Q-9 9-9 6V-6Q-9-9-6-9Z', 'M-2.6-4V4M2.6-4V4'],
  broken: ['M0-11.5 11.5 0 0 11.5-11.5 0Z', 'M-3.4-3.4 3.4 3.4M3.4-3.4-3.4 3.4'],
  unknown: ['M-5-9.5H5L10.5 0 5 9.5H-5L-10.5 0Z', 'M-2.8-2.4C-2.8-6 3-6 2.8-2.4 2.7-.6 0-.5 0 1.6M0 4.7V4.8'],
}

/** How a charger looks. The caller adds the text. */
export function MarkIcon({ look, size }: { look: Look; size: number }) {
  const kind = KIND_OF[look]
  const [outline, sign] = PATHS[kind]
  return (
    <svg
      className={`chargers-mark ${kind}${isHollow(look) ? ' hollow' : ''}`}
      style={{ color: `var(--kind-${kind})` }}
      width={size}
      height={size}
      viewBox="-12.5 -12.5 25 25"
      aria-hidden
    >
      <path d={outline} />
      <path d={sign} />
    </svg>
  )
}

/** Its sign is drawn and not text: the caller says it in words. */
export const Badge = ({ kind, sign }: { kind: 'figures' | 'star'; sign: string }) => (
  <span className={`chargers-badge ${kind}`} data-sign={sign} aria-hidden />
)
