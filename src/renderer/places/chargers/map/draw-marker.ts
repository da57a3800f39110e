import type { ClusterMarker, MarkerStyle, Marker, SiteMarker } from '../data/marker.ts'
import { SHARES } from '../data/marker.ts'
import type { MarkerColours } from './map-colours.ts'
import { GLYPH, OUTLINE, radiusOf, type Outline } from './marker-shapes.ts'
import type { Box } from './place-labels.ts'

type Canvas = CanvasRenderingContext2D

const FULL = Math.PI * 2
const TOP = -Math.PI / 2

/** The gap between the chosen marker and the ring around it. */
const CHOSEN_RING_PX = 5
const HIGHLIGHT_RING_PX = 4
/** How far a badge reaches beyond its centre, with its edge. */
const BADGE_PX = 8

interface MarkerState {
  isChosen: boolean
  isHighlighted: boolean
}

/** Draws one marker around a point. `count` formats a number. */
export function drawMarker(
  canvas: Canvas,
  marker: Marker,
  x: number,
  y: number,
  state: MarkerState,
  colours: MarkerColours,
  text: { font: string; count: (count: number) => string },
): void {
  const radius = radiusOf(marker)
  if (state.isChosen || state.isHighlighted)
    drawHalo(canvas, x, y, radius + (state.isChosen ? CHOSEN_RING_PX : HIGHLIGHT_RING_PX), state, colours)
  if (marker.kind === 'cluster') drawCluster(canvas, marker, x, y, radius, colours, text)
  else drawSite(canvas, marker, x, y, radius, colours, text)
  const corner = cornerOf(marker)
  if (marker.favourite) drawStar(canvas, x + corner, y - corner, colours)
  if (hasFault(marker)) drawFault(canvas, x - corner, y - corner, colours)
}

/** How far from the centre badges stand, to either side. */
function cornerOf(marker: Marker): number {
  return radiusOf(marker) * (marker.kind === 'cluster' ? 0.74 : 0.8)
}

/** A cluster's ring already shows the share that is out of order. */
function hasFault(marker: Marker): boolean {
  return marker.kind === 'site' && marker.broken > 0 && marker.markerStyle !== 'broken'
}

/** What a marker around a point covers, badges included. */
export function markerBox(marker: Marker, x: number, y: number, isChosen: boolean): Box {
  const isDiamond = marker.kind === 'site' && OUTLINE[marker.markerStyle] === 'diamond'
  const radius = (radiusOf(marker) + (isChosen ? CHOSEN_RING_PX : 1.5)) * (isDiamond ? 1.22 : 1)
  const badge = cornerOf(marker) + BADGE_PX
  const hasCount = marker.kind === 'site' && marker.count > 1
  const reach = (...badges: boolean[]) => (badges.some(Boolean) ? Math.max(radius, badge) : radius)
  return {
    left: x - reach(hasFault(marker)),
    right: x + reach(hasCount, marker.favourite),
    top: y - reach(hasFault(marker), marker.favourite),
    bottom: y + reach(hasCount),
  }
}

function drawHalo(
  canvas: Canvas,
  x: number,
  y: number,
  radius: number,
  { isChosen }: MarkerState,
  colours: MarkerColours,
) {
  canvas.beginPath()
  canvas.arc(x, y, radius, 0, FULL)
  canvas.globalAlpha = isChosen ? 0.28 : 0.16
  canvas.fillStyle = colours.accent
  canvas.fill()
  canvas.globalAlpha = 1
  if (!isChosen) return
  canvas.lineWidth = 2
  canvas.strokeStyle = colours.accent
  canvas.stroke()
}

function traceOutline(canvas: Canvas, outline: Outline, x: number, y: number, radius: number): void {
  if (outline === 'diamond') return traceDiamond(canvas, x, y, radius * 1.22)
  canvas.beginPath()
  if (outline === 'square')
    canvas.roundRect(x - radius * 0.9, y - radius * 0.9, radius * 1.8, radius * 1.8, radius * 0.34)
  else canvas.arc(x, y, radius, 0, FULL)
}

function traceDiamond(canvas: Canvas, x: number, y: number, reach: number): void {
  canvas.beginPath()
  canvas.moveTo(x, y - reach)
  canvas.lineTo(x + reach, y)
  canvas.lineTo(x, y + reach)
  canvas.lineTo(x - reach, y)
  canvas.closePath()
}

function drawSite(
  canvas: Canvas,
  { markerStyle, count }: SiteMarker,
  x: number,
  y: number,
  radius: number,
  colours: MarkerColours,
  text: { font: string; count: (count: number) => string },
): void {
  const outline = OUTLINE[markerStyle]
  const colour = colours.styles[markerStyle]
  // An outline in the background colour separates overlapping markers.
  traceOutline(canvas, outline, x, y, radius + 1.5)
  canvas.fillStyle = colours.panel
  canvas.fill()
  traceOutline(canvas, outline, x, y, outline === 'ring' ? radius - 1 : radius)
  canvas.fillStyle = outline === 'ring' ? colours.panel : colour
  canvas.fill()
  if (outline === 'ring') {
    canvas.lineWidth = 2
    canvas.strokeStyle = colour
    canvas.stroke()
  }
  drawGlyph(canvas, markerStyle, x, y, radius, outline === 'ring' ? colour : colours.panel)
  if (count > 1) drawCount(canvas, text.count(count), x + radius * 0.8, y + radius * 0.8, colours, text.font)
}

function drawGlyph(
  canvas: Canvas,
  markerStyle: MarkerStyle,
  x: number,
  y: number,
  radius: number,
  colour: string,
): void {
  canvas.beginPath()
  for (const line of GLYPH[markerStyle])
    line.forEach(([dx, dy], at) => {
      if (at === 0) canvas.moveTo(x + dx * radius, y + dy * radius)
      else canvas.lineTo(x + dx * radius, y + dy * radius)
    })
  canvas.lineWidth = Math.max(1.6, radius * 0.19)
  canvas.lineCap = 'round'
  canvas.lineJoin = 'round'
  canvas.strokeStyle = colour
  canvas.stroke()
}

/** The number of chargers that the marker stands for. */
function drawCount(canvas: Canvas, count: string, x: number, y: number, colours: MarkerColours, font: string): void {
  canvas.font = `600 10px ${font}`
  const width = Math.max(14, canvas.measureText(count).width + 7)
  canvas.beginPath()
  canvas.roundRect(x - width / 2, y - 7, width, 14, 7)
  canvas.fillStyle = colours.text
  canvas.fill()
  canvas.lineWidth = 1.5
  canvas.strokeStyle = colours.panel
  canvas.stroke()
  writeIn(canvas, count, x, y, colours.panel)
}

function writeIn(canvas: Canvas, words: string, x: number, y: number, colour: string): void {
  canvas.textAlign = 'center'
  canvas.textBaseline = 'middle'
  canvas.fillStyle = colour
  canvas.fillText(words, x, y + 0.5)
}

function drawCluster(
  canvas: Canvas,
  { count, shares }: ClusterMarker,
  x: number,
  y: number,
  radius: number,
  colours: MarkerColours,
  text: { font: string; count: (count: number) => string },
): void {
  canvas.beginPath()
  canvas.arc(x, y, radius + 1.5, 0, FULL)
  canvas.fillStyle = colours.panel
  canvas.fill()
  canvas.lineWidth = 4
  canvas.lineCap = 'butt'
  let from = TOP
  for (const share of SHARES) {
    if (shares[share] <= 0) continue
    const to = from + (shares[share] / count) * FULL
    canvas.beginPath()
    canvas.arc(x, y, radius - 2, from, to)
    canvas.strokeStyle = colours.shares[share]
    canvas.stroke()
    from = to
  }
  canvas.font = `600 11px ${text.font}`
  writeIn(canvas, text.count(count), x, y, colours.text)
}

/** The number of a route's stop. */
export function drawNumber(
  canvas: Canvas,
  text: string,
  x: number,
  y: number,
  colours: MarkerColours,
  font: string,
): void {
  canvas.beginPath()
  canvas.arc(x, y, 9, 0, FULL)
  canvas.fillStyle = colours.accent
  canvas.fill()
  canvas.lineWidth = 1
  canvas.strokeStyle = colours.panel
  canvas.stroke()
  canvas.font = `600 11px ${font}`
  writeIn(canvas, text, x, y, colours.accentText)
}

function drawStar(canvas: Canvas, x: number, y: number, colours: MarkerColours): void {
  canvas.beginPath()
  for (let point = 0; point < 10; point += 1) {
    const reach = point % 2 === 0 ? 6 : 2.7
    const angle = TOP + (point * FULL) / 10
    canvas.lineTo(x + Math.cos(angle) * reach, y + Math.sin(angle) * reach)
  }
  canvas.closePath()
  canvas.lineJoin = 'round'
  canvas.lineWidth = 3
  canvas.strokeStyle = colours.panel
  canvas.stroke()
  canvas.fillStyle = colours.favourite
  canvas.fill()
}

/** A badge: one of the chargers is out of order, although the marker shows a better state. */
function drawFault(canvas: Canvas, x: number, y: number, colours: MarkerColours): void {
  traceDiamond(canvas, x, y, 5.5)
  canvas.lineWidth = 2.5
  canvas.strokeStyle = colours.panel
  canvas.stroke()
  canvas.fillStyle = colours.broken
  canvas.fill()
}
