import type { CountryName, NameRoom } from './base-shapes.ts'

/** A rectangle on the screen, in pixels. */
export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

export interface Label {
  text: string
  /** The centre. */
  x: number
  y: number
  box: Box
}

/** The gap between a marker's edge and its label. */
const GAP_PX = 4
const HEIGHT_PX = 12
const MAX_LABELS = 120
/** Steps by which a country's name is moved aside, as far as its country reaches. */
const ASIDE_PX = [0, -20, 20, -40, 40, -70, 70, -100, 100]
/** The numbers of stops, as discs. */
const NUMBER_RADIUS_PX = 9
const NUMBER_AWAY_PX = [20, 27, 36, 46]
const EIGHTH = Math.PI / 4
/** A country's name stands in one of its best rows, or nowhere. */
const MOST_ROWS = 6

/** Places labels below markers, whose lower edge is at `bottom`, where there is room; earlier markers take precedence. */
export function placeLabels(
  marks: readonly { text: string; x: number; bottom: number }[],
  taken: readonly Box[],
  widthOf: (text: string) => number,
): Label[] {
  const boxes = [...taken]
  const labels: Label[] = []
  for (const { text, x, bottom } of marks) {
    if (labels.length >= MAX_LABELS) break
    const label = labelAt(text, x, bottom + GAP_PX + HEIGHT_PX / 2, widthOf(text))
    if (isTaken(label, boxes)) continue
    boxes.push(label.box)
    labels.push(label)
  }
  return labels
}

/**
 * Places the names of countries, each inside its country where nothing else is, or not at all. `world`: the world square. Those that
 * would best stand outside of `area` are left out.
 */
export function placeNames(
  names: readonly CountryName[],
  taken: readonly Box[],
  world: { left: number; top: number; size: number },
  area: Box,
  words: { nameOf: (country: string) => string; widthOf: (text: string) => number },
): Label[] {
  const boxes = [...taken]
  return names.flatMap(({ country, rooms }) => {
    const text = words.nameOf(country)
    const width = words.widthOf(text)
    const at = ({ x, y }: NameRoom, aside: number) =>
      labelAt(text, world.left + x * world.size + aside, world.top + y * world.size, width)
    if (rooms[0] === undefined || !overlap(at(rooms[0], 0).box, area)) return []
    for (const room of rooms.slice(0, MOST_ROWS)) {
      const spare = (room.width * world.size - width) / 2
      if (spare < 0) break
      for (const aside of ASIDE_PX) {
        const label = at(room, aside)
        if (Math.abs(aside) > spare || isTaken(label, boxes)) continue
        boxes.push(label.box)
        return [label]
      }
    }
    return []
  })
}

/** Places numbers beside their points, clear of the discs of markers where that can be; otherwise over them. */
export function placeNumbers(
  points: readonly { text: string; x: number; y: number }[],
  discs: readonly { x: number; y: number; radius: number }[],
): Label[] {
  const taken = [...discs]
  return points.map(({ text, x, y }) => {
    const places = NUMBER_AWAY_PX.flatMap((away) =>
      // Right above first, then clockwise.
      Array.from({ length: 8 }, (_, at) => ({
        x: x + away * Math.cos((at - 1) * EIGHTH),
        y: y + away * Math.sin((at - 1) * EIGHTH),
        radius: NUMBER_RADIUS_PX,
      })),
    )
    const isFree = (one: { x: number; y: number }) =>
      taken.every((other) => Math.hypot(other.x - one.x, other.y - one.y) >= other.radius + NUMBER_RADIUS_PX)
    const place = places.find(isFree) ?? places[0]!
    taken.push(place)
    const [left, top] = [place.x - NUMBER_RADIUS_PX, place.y - NUMBER_RADIUS_PX]
    const box = { left, top, right: left + 2 * NUMBER_RADIUS_PX, bottom: top + 2 * NUMBER_RADIUS_PX }
    return { text, x: place.x, y: place.y, box }
  })
}

function labelAt(text: string, x: number, y: number, width: number): Label {
  const [half, middle] = [width / 2 + 2, HEIGHT_PX / 2]
  return { text, x, y, box: { left: x - half, right: x + half, top: y - middle, bottom: y + middle } }
}

function isTaken({ box }: Label, boxes: readonly Box[]): boolean {
  return boxes.some((other) => overlap(box, other))
}

function overlap(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom
}
