import type { MarkerStyle, Share } from '../data/marker.ts'
import type { BaseColours } from './draw-base-tile.ts'

export interface MarkerColours {
  looks: Record<MarkerStyle, string>
  shares: Record<Share, string>
  panel: string
  text: string
  accent: string
  favourite: string
  broken: string
  shadow: string
}

/** The tokens by which each look is known, in the list and in the legend too. */
export const STYLE_TOKENS: Readonly<Record<MarkerStyle, string>> = {
  free: '--done',
  saidFree: '--done',
  busy: '--working',
  reserved: '--held',
  limited: '--held',
  broken: '--failed',
  offline: '--secondary',
  stale: '--secondary',
  unknown: '--unknown',
  saidTaken: '--secondary',
  silent: '--secondary',
}

const SHARE_TOKENS: Readonly<Record<Share, string>> = {
  free: '--done',
  taken: '--working',
  broken: '--failed',
  other: '--line-strong',
}

/** Colours as a canvas takes them: what the style sheet says of this element, worked out by the browser. */
function readToken(element: HTMLElement): (token: string) => string {
  return (token) => {
    element.style.color = `var(${token})`
    // Otherwise a person's forced colours make all of them one.
    element.style.setProperty('forced-color-adjust', 'none')
    return getComputedStyle(element).color
  }
}

export function mapColours(container: HTMLElement): { base: BaseColours; markers: MarkerColours } {
  const probe = container.appendChild(document.createElement('span'))
  const read = readToken(probe)
  const each = <Name extends string>(tokens: Readonly<Record<Name, string>>) =>
    Object.fromEntries(Object.entries<string>(tokens).map(([name, token]) => [name, read(token)])) as Record<
      Name,
      string
    >
  const colours = {
    base: {
      sea: read('--map-sea'),
      land: read('--map-land'),
      coast: read('--map-coast'),
      border: read('--map-border'),
      grid: read('--map-grid'),
      name: read('--map-name'),
      font: getComputedStyle(container).fontFamily,
    },
    markers: {
      looks: each(STYLE_TOKENS),
      shares: each(SHARE_TOKENS),
      panel: read('--panel'),
      text: read('--text'),
      accent: read('--accent'),
      favourite: read('--held'),
      broken: read('--failed'),
      shadow: read('--map-shadow'),
    },
  }
  probe.remove()
  return colours
}
