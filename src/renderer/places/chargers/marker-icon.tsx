import type { MarkerStyle } from './data/marker.ts'
import { GLYPH, OUTLINE } from './map/marker-shapes.ts'
import { STYLE_TOKENS } from './map/map-colours.ts'

const R = 6.4

/** A marker as an icon for the list and the legend. The caller adds the text. */
export function MarkerIcon({ markerStyle, size = 16 }: { markerStyle: MarkerStyle; size?: number }) {
  const outline = OUTLINE[markerStyle]
  const isRing = outline === 'ring'
  const paint = isRing
    ? { fill: 'none', stroke: 'currentColor', strokeWidth: 1.6 }
    : { fill: 'currentColor', stroke: 'none' }
  return (
    <svg
      className="chargers-marker-icon"
      width={size}
      height={size}
      viewBox="-8 -8 16 16"
      aria-hidden
      style={{ color: `var(${STYLE_TOKENS[markerStyle]})` }}
    >
      {outline === 'square' ? <rect x={-6} y={-6} width={12} height={12} rx={2.4} {...paint} /> : null}
      {outline === 'diamond' ? <path d="M0-7.6 7.6 0 0 7.6-7.6 0Z" {...paint} /> : null}
      {outline === 'disc' ? <circle r={R} {...paint} /> : null}
      {isRing ? <circle r={5.8} {...paint} /> : null}
      {GLYPH[markerStyle].map((line, n) => (
        <polyline
          key={n}
          points={line.map(([x, y]) => `${x * R},${y * R}`).join(' ')}
          fill="none"
          stroke={isRing ? 'currentColor' : 'var(--panel)'}
          strokeWidth={1.5}
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      ))}
    </svg>
  )
}
