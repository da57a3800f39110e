import type { MarkerStyle, Marker } from '../data/marker.ts'
import type { PowerTier } from '../../../../shared/chargers/power.ts'

/*
 * The shapes of markers, on the map's canvas and as icons beside text.
 */

/** Radius in pixels: size shows power. */
const TIER_RADIUS: Readonly<Record<PowerTier, number>> = {
  unknown: 7.5,
  under11: 7.5,
  under50: 9,
  under150: 11,
  from150: 13.5,
}

/** The outline of each style, so that colour is never the only difference. */
export type Outline = 'disc' | 'square' | 'diamond' | 'ring'
export const OUTLINE: Readonly<Record<MarkerStyle, Outline>> = {
  free: 'disc',
  saidFree: 'ring',
  busy: 'square',
  reserved: 'square',
  limited: 'square',
  broken: 'diamond',
  offline: 'ring',
  stale: 'ring',
  unknown: 'ring',
  saidTaken: 'ring',
  silent: 'ring',
}

/** The glyph inside each outline, as lines in a 2 × 2 square around the centre. */
export const GLYPH: Readonly<Record<MarkerStyle, readonly (readonly [number, number][])[]>> = {
  free: [
    [
      [-0.42, 0.02],
      [-0.1, 0.36],
      [0.44, -0.34],
    ],
  ],
  saidFree: [
    [
      [-0.42, 0.02],
      [-0.1, 0.36],
      [0.44, -0.34],
    ],
  ],
  busy: [
    [
      [-0.36, 0],
      [0.36, 0],
    ],
  ],
  reserved: [
    [
      [-0.2, -0.34],
      [-0.2, 0.34],
    ],
    [
      [0.2, -0.34],
      [0.2, 0.34],
    ],
  ],
  limited: [
    [
      [0, -0.4],
      [0, 0.08],
    ],
    [
      [0, 0.38],
      [0, 0.4],
    ],
  ],
  broken: [
    [
      [-0.3, -0.3],
      [0.3, 0.3],
    ],
    [
      [0.3, -0.3],
      [-0.3, 0.3],
    ],
  ],
  offline: [
    [
      [-0.36, 0.36],
      [0.36, -0.36],
    ],
  ],
  // The hands of a clock.
  stale: [
    [
      [0, -0.46],
      [0, 0.04],
      [0.36, 0.24],
    ],
  ],
  unknown: [
    [
      [-0.24, -0.22],
      [-0.1, -0.42],
      [0.14, -0.42],
      [0.26, -0.2],
      [0, 0.08],
    ],
    [
      [0, 0.38],
      [0, 0.4],
    ],
  ],
  saidTaken: [
    [
      [-0.36, 0],
      [0.36, 0],
    ],
  ],
  silent: [],
}

export function radiusOf(marker: Marker): number {
  if (marker.kind === 'site') return TIER_RADIUS[marker.tier]
  return Math.min(26, 13 + Math.log10(marker.count) * 4.5)
}
