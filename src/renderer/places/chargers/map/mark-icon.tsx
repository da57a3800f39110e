import { isHollow, KIND_OF, type Kind, type Look } from '../data/look.ts'

/* Around 0, 0, within 12 to each side. */
const OUTLINES: Readonly<Record<Kind, string>> = {
  free: 'M0-10A10 10 0 1 1 0 10A10 10 0 1 1 0-10Z',
  busy: 'M-6-9H6Q9-9 9-6V6Q9 9 6 9H-6Q-9 9-9 6V-6Q-9-9-6-9Z',
  broken: 'M0-11.5 11.5 0 0 11.5-11.5 0Z',
  unknown: 'M-5-9.5H5L10.5 0 5 9.5H-5L-10.5 0Z',
}
const GLYPHS: Readonly<Record<Kind, string>> = {
  free: 'M-4.5.3-1.3 3.6 4.7-3.4',
  busy: 'M-2.6-4V4M2.6-4V4',
  broken: 'M-3.4-3.4 3.4 3.4M3.4-3.4-3.4 3.4',
  unknown: 'M-2.8-2.4C-2.8-6 3-6 2.8-2.4 2.7-.6 0-.5 0 1.6M0 4.7V4.8',
}

const VIEW_BOX = '-12.5 -12.5 25 25'
const classOf = (look: Look) => `chargers-mark ${KIND_OF[look]}${isHollow(look) ? ' hollow' : ''}`

/** How a charger looks, for the list and the legend. The caller adds the text. */
export function MarkIcon({ look, size = 18 }: { look: Look; size?: number }) {
  return (
    <svg className={classOf(look)} width={size} height={size} viewBox={VIEW_BOX} aria-hidden>
      <path d={OUTLINES[KIND_OF[look]]} />
      <path d={GLYPHS[KIND_OF[look]]} />
    </svg>
  )
}

/** The same for the map, which React does not draw. */
export function markElement(look: Look, size: number): SVGSVGElement {
  const make = <Name extends 'svg' | 'path'>(name: Name, attributes: Record<string, string>) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name)
    for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value)
    return element
  }
  const svg = make('svg', { class: classOf(look), width: `${size}`, height: `${size}`, viewBox: VIEW_BOX })
  svg.setAttribute('aria-hidden', 'true')
  svg.append(make('path', { d: OUTLINES[KIND_OF[look]] }), make('path', { d: GLYPHS[KIND_OF[look]] }))
  return svg
}
