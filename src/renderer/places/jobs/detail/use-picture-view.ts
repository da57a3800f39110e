import {
  useCallback,
  useEffect,
  useEffectEvent,
  useState,
  type KeyboardEvent,
  type PointerEvent,
  type RefCallback,
} from 'react'
import {
  canPan,
  FIT,
  fitScale,
  ownSize,
  pan,
  place,
  zoomBy,
  zoomIn,
  zoomOut,
  type Placed,
  type Point,
  type Size,
} from './zoom.ts'

interface Dividing {
  at: number
  setAt: (x: number) => void
}

export interface PictureView {
  setBox: RefCallback<HTMLDivElement>
  box: Size
  placed: Placed
  /** For a box that is as high as the picture; a large one has its own height. */
  shape: { aspectRatio?: string }
  /** The size is known, because a picture has loaded. */
  isReady: boolean
  isFit: boolean
  onSize: (shown: Size) => void
  enlarge: () => void
  reduce: () => void
  fit: () => void
  actual: () => void
  handlers: (divider: Dividing | null) => { onPointerDown: (event: PointerEvent) => void }
  /** Props that make the box focusable while the picture can be moved. */
  focusable: (label: string) => object
}

/** Distance within which the divider is grabbed. */
const GRIP_PX = 16
const ARROW_PX = 48
const WHEEL_SPEED = 0.0022
const ARROWS: Readonly<Record<string, { x: number; y: number }>> = {
  ArrowLeft: { x: ARROW_PX, y: 0 },
  ArrowRight: { x: -ARROW_PX, y: 0 },
  ArrowUp: { x: 0, y: ARROW_PX },
  ArrowDown: { x: 0, y: -ARROW_PX },
}

/**
 * Zoom and position of the pictures in one box. With `wheelZooms` the wheel alone zooms; otherwise only with Control, as a pinch
 * does, so that the page can be scrolled.
 */
export function usePictureView(ownSizeKnown: Size | null, wheelZooms: boolean): PictureView {
  const [view, setView] = useState(FIT)
  const [shown, setShown] = useState<Size | null>(null)
  const [box, setBox] = useState<Size>({ width: 0, height: 0 })
  const [element, setElement] = useState<HTMLDivElement | null>(null)
  const picture = ownSize(ownSizeKnown, shown ?? { width: 1, height: 1 })
  const placed = place(view, box, picture)
  const known = shown ?? ownSizeKnown

  useSize(element, setBox)
  useWheel(element, wheelZooms, (factor, at) => setView((before) => zoomBy(before, factor, at, box, picture)))
  const canMove = shown !== null && canPan(placed, box)
  const moveBy = (by: Point) => setView((before) => pan(before, by, box, picture))
  return {
    setBox: setElement,
    box,
    placed,
    shape: wheelZooms || known === null ? {} : { aspectRatio: `${known.width} / ${known.height}` },
    isReady: shown !== null && box.width > 0,
    isFit: view.scale === 'fit',
    onSize: useCallback((size) => setShown((before) => before ?? size), []),
    enlarge: () => setView((before) => zoomIn(before, box, picture)),
    reduce: () => setView((before) => zoomOut(before, box, picture)),
    fit: () => setView(FIT),
    actual: () => setView(actualSize(fitScale(box, picture))),
    handlers: (divider) => ({ onPointerDown: (event) => drag(event, divider, canMove ? moveBy : null) }),
    focusable: (label) =>
      canMove
        ? {
            tabIndex: 0,
            role: 'group',
            'aria-label': label,
            onKeyDown: (event: KeyboardEvent) => {
              const by = ARROWS[event.key]
              if (by === undefined || event.target !== event.currentTarget) return
              event.preventDefault()
              moveBy(by)
            },
          }
        : {},
  }
}

function useSize(element: HTMLElement | null, onSize: (size: Size) => void): void {
  useEffect(() => {
    if (element === null) return
    const observer = new ResizeObserver(() => onSize({ width: element.clientWidth, height: element.clientHeight }))
    observer.observe(element)
    return () => observer.disconnect()
  }, [element, onSize])
}

function useWheel(element: HTMLElement | null, isBare: boolean, onZoom: (factor: number, at: Point) => void): void {
  const zoom = useEffectEvent(onZoom)
  useEffect(() => {
    if (element === null) return
    const onWheel = (event: WheelEvent) => {
      if (!isBare && !event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      const frame = element.getBoundingClientRect()
      // A pinch is reported as small wheel steps with Control.
      const factor = Math.exp(-event.deltaY * WHEEL_SPEED * (event.ctrlKey ? 4 : 1))
      zoom(factor, { x: event.clientX - frame.left, y: event.clientY - frame.top })
    }
    // React's listener is passive and could not keep the browser from zooming the page.
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => element.removeEventListener('wheel', onWheel)
  }, [element, isBare])
}

/** One picture pixel per screen pixel, unless the whole picture fits at that size. */
function actualSize(fit: number) {
  const scale = 1 / devicePixelRatio
  return scale <= fit ? FIT : { scale, centre: FIT.centre }
}

/** Drags the divider if it was grabbed or the picture cannot move, else the picture, until the pointer is released. */
function drag(event: PointerEvent, divider: Dividing | null, moveBy: ((by: Point) => void) | null): void {
  if (event.button !== 0) return
  const box = event.currentTarget as HTMLElement
  const left = box.getBoundingClientRect().left
  const isDivider = divider !== null && (moveBy === null || Math.abs(event.clientX - left - divider.at) < GRIP_PX)
  if (!isDivider && moveBy === null) return
  event.preventDefault()
  box.setPointerCapture(event.pointerId)
  let { clientX, clientY } = event
  const onMove = (to: globalThis.PointerEvent) => {
    if (isDivider) divider.setAt(to.clientX - left)
    else moveBy!({ x: to.clientX - clientX, y: to.clientY - clientY })
    clientX = to.clientX
    clientY = to.clientY
  }
  const onEnd = () => {
    box.removeEventListener('pointermove', onMove)
    box.removeEventListener('pointerup', onEnd)
    box.removeEventListener('pointercancel', onEnd)
  }
  if (isDivider) divider.setAt(clientX - left)
  box.addEventListener('pointermove', onMove)
  box.addEventListener('pointerup', onEnd)
  box.addEventListener('pointercancel', onEnd)
}
