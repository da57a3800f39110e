export interface Size {
  width: number
  height: number
}

export interface Point {
  x: number
  y: number
}

/** `fit` shows the whole picture; otherwise `scale` screen pixels per picture pixel, around `centre`. */
interface ZoomView {
  scale: 'fit' | number
  /** The point of the picture at the centre of the box, as fractions of its width and height. */
  centre: Point
}

export interface Placed extends Size {
  left: number
  top: number
  scale: number
}

export const FIT: ZoomView = { scale: 'fit', centre: { x: 0.5, y: 0.5 } }
const MAX_SCALE = 8
const STEP = 1.5

/** Shows the whole picture, and never enlarges it. */
function fitScale(box: Size, picture: Size): number {
  return Math.min(1, box.width / picture.width, box.height / picture.height)
}

/** The picture's position in the box: centred if it is smaller, without gaps if it is larger. */
export function place({ scale: wanted, centre }: ZoomView, box: Size, picture: Size): Placed {
  const scale = wanted === 'fit' ? fitScale(box, picture) : wanted
  const width = picture.width * scale
  const height = picture.height * scale
  return {
    scale,
    width,
    height,
    left: along(box.width, width, centre.x),
    top: along(box.height, height, centre.y),
  }
}

function along(box: number, length: number, centre: number): number {
  if (length <= box) return (box - length) / 2
  return Math.min(0, Math.max(box - length, box / 2 - centre * length))
}

/** Zooms by `factor` (0: to fit) around the point `at` of the box. */
export function zoomBy(view: ZoomView, factor: number, at: Point, box: Size, picture: Size): ZoomView {
  if (box.width === 0) return view
  const before = place(view, box, picture)
  const fit = fitScale(box, picture)
  const scale = Math.min(MAX_SCALE, before.scale * factor)
  if (scale <= fit) return FIT
  const point = { x: (at.x - before.left) / before.width, y: (at.y - before.top) / before.height }
  return {
    scale,
    centre: {
      x: point.x + (box.width / 2 - at.x) / (picture.width * scale),
      y: point.y + (box.height / 2 - at.y) / (picture.height * scale),
    },
  }
}

export const zoomIn = (view: ZoomView, box: Size, picture: Size) => zoomBy(view, STEP, middle(box), box, picture)
export const zoomOut = (view: ZoomView, box: Size, picture: Size) => zoomBy(view, 1 / STEP, middle(box), box, picture)

/** Moves an enlarged picture by screen pixels, up to its edges. */
export function pan(view: ZoomView, by: Point, box: Size, picture: Size): ZoomView {
  if (view.scale === 'fit') return view
  const now = place(view, box, picture)
  const inside = (left: number, length: number, whole: number) =>
    length <= whole ? 0.5 : (whole / 2 - Math.min(0, Math.max(whole - length, left))) / length
  return {
    scale: view.scale,
    centre: {
      x: inside(now.left + by.x, now.width, box.width),
      y: inside(now.top + by.y, now.height, box.height),
    },
  }
}

export function canPan(placed: Placed, box: Size): boolean {
  return placed.width > box.width + 0.5 || placed.height > box.height + 0.5
}

export const middle = (box: Size): Point => ({ x: box.width / 2, y: box.height / 2 })

/** The picture's own size in the orientation of its rendering (`shown`), which may be smaller. */
export function ownSize(known: Size | null, shown: Size): Size {
  if (known === null || shown.width === 0 || shown.height === 0) return shown
  const scale = Math.max(known.width, known.height) / Math.max(shown.width, shown.height)
  return { width: shown.width * scale, height: shown.height * scale }
}
