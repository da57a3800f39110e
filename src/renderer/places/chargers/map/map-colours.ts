import type { MarkerStyle, Share } from '../data/marker.ts'
import { readColour } from '../../../parts/colours.ts'
import type { BaseColours } from './draw-base-tile.ts'

export interface MarkerColours {
  styles: Record<MarkerStyle, string>
  shares: Record<Share, string>
  panel: string
  text: string
  accent: string
  accentText: string
  favourite: string
  broken: string
  shadow: string
  /** Of countries. */
  name: string
}

/** The colour token of each style, also used in the list and the legend. */
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

export function mapColours(container: HTMLElement): { base: BaseColours; markers: MarkerColours } {
  const probe = container.appendChild(document.createElement('span'))
  const colour = readColour(probe)
  const read = (token: string) => colour(`var(${token})`)
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
    },
    markers: {
      styles: each(STYLE_TOKENS),
      shares: each(SHARE_TOKENS),
      panel: read('--panel'),
      text: read('--text'),
      accent: read('--accent'),
      accentText: read('--accent-text'),
      favourite: read('--held'),
      broken: read('--failed'),
      shadow: read('--map-shadow'),
      name: read('--map-name'),
    },
  }
  probe.remove()
  return colours
}
