import { useCallback, useEffect, useEffectEvent, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { canPan, FIT, middle, ownSize, pan, place, zoomBy, zoomIn, zoomOut } from './zoom.ts'
import type { Placed, Point, Size } from './zoom.ts'

interface Dividing {
  at: number
  setAt: (x: number) => void
}

export type PictureView = ReturnType<typeof usePictureView>

/** Distance within which the divider is grabbed. */
const GRIP_PX = 16
/** A press that moves no further is a click. */
const CLICK_PX = 3
const ARROW_PX = 48
const WHEEL_SPEED = 0.0022
const ARROWS: Readonly<Record<string, { x: number; y: number }>> = {
  ArrowLeft: { x: ARROW_PX, y: 0 },
  ArrowRight: { x: -ARROW_PX, y: 0 },
  ArrowUp: { x: 0, y: ARROW_PX },
  ArrowDown: { x: 0, y: -ARROW_PX },
}

/** Where the column is below the picture and the page scrolls, the wheel zooms only with Control, as a pinch does. */
const pageScrolls = () => matchMedia('(width < 860px) or (height < 480px)').matches

export function usePictureView(ownSizeKnown: Size | null) {
  const [view, setView] = useState(FIT)
  const [rough, setRough] = useState<Size | null>(null)
  const [sharp, setSharp] = useState<Size | null>(null)
  const shown = sharp ?? rough
  const [box, setBox] = useState<Size>({ width: 0, height: 0 })
  const [element, setElement] = useState<HTMLDivElement | null>(null)
  const picture = ownSize(ownSizeKnown, shown ?? { width: 1, height: 1 })
  const placed = place(view, box, picture)

  useSize(element, setBox)
  useWheel(element, (factor, at) => setView((before) => zoomBy(before, factor, at, box, picture)))
  const canMove = shown !== null && canPan(placed, box)
  const moveBy = (by: Point) => setView((before) => pan(before, by, box, picture))
  const toggle = (at: Point) =>
    setView((before) => (before.scale === 'fit' ? zoomBy(before, actualFactor(placed), at, box, picture) : FIT))
  return {
    setBox: setElement,
    box,
    placed,
    /** The picture itself has loaded, and not just its thumbnail. */
    isSharp: sharp !== null,
    isReady: shown !== null && box.width > 0,
    isFit: view.scale === 'fit',
    onSize: useCallback(
      (size: Size, of: 'rough' | 'sharp') => (of === 'rough' ? setRough(size) : setSharp((before) => before ?? size)),
      [],
    ),
    enlarge: () => setView((before) => zoomIn(before, box, picture)),
    reduce: () => setView((before) => zoomOut(before, box, picture)),
    /** Between the whole picture and one pixel of it per pixel of the screen. */
    toggle: () => toggle(middle(box)),
    handlers: (divider: Dividing | null) => ({
      onPointerDown: (event: PointerEvent) => drag(event, divider, canMove ? moveBy : null, toggle),
    }),
    /** Props that make the box focusable while the picture can be moved. */
    focusable: (label: string) =>
      canMove
        ? {
            tabIndex: 0,
            role: 'group',
            'aria-label': label,
            onKeyDown: (event: KeyboardEvent) => {
              const by = ARROWS[event.key]
              if (by === undefined || event.target !== event.currentTarget) return
              event.preventDefault()
              event.stopPropagation()
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

function useWheel(element: HTMLElement | null, onZoom: (factor: number, at: Point) => void): void {
  const zoom = useEffectEvent(onZoom)
  useEffect(() => {
    if (element === null) return
    const onWheel = (event: WheelEvent) => {
      if (pageScrolls() && !event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      const frame = element.getBoundingClientRect()
      // A pinch is reported as small wheel steps with Control.
      const factor = Math.exp(-event.deltaY * WHEEL_SPEED * (event.ctrlKey ? 4 : 1))
      zoom(factor, { x: event.clientX - frame.left, y: event.clientY - frame.top })
    }
    // React's listener is passive and could not keep the browser from zooming the page.
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => element.removeEventListener('wheel', onWheel)
  }, [element])
}

/** To one picture pixel per screen pixel; a picture that is whole at that size stays as it is. */
const actualFactor = ({ scale }: Placed) => 1 / devicePixelRatio / scale

/** Drags the divider if it was grabbed or the picture cannot move, else the picture. A press that moves nothing is a click. */
function drag(
  event: PointerEvent,
  divider: Dividing | null,
  moveBy: ((by: Point) => void) | null,
  onClick: (at: Point) => void,
): void {
  if (event.button !== 0) return
  const box = event.currentTarget as HTMLElement
  const { left, top } = box.getBoundingClientRect()
  const isGrip = divider !== null && Math.abs(event.clientX - left - divider.at) < GRIP_PX
  const isDivider = isGrip || (divider !== null && moveBy === null)
  const from = { x: event.clientX, y: event.clientY }
  let { clientX, clientY } = event
  let isDragged = false
  event.preventDefault()
  box.setPointerCapture(event.pointerId)
  const onMove = (to: globalThis.PointerEvent) => {
    isDragged ||= Math.hypot(to.clientX - from.x, to.clientY - from.y) > CLICK_PX
    if (!isDragged) return
    if (isDivider) divider.setAt(to.clientX - left)
    else moveBy?.({ x: to.clientX - clientX, y: to.clientY - clientY })
    clientX = to.clientX
    clientY = to.clientY
  }
  const onEnd = (end: globalThis.PointerEvent) => {
    box.removeEventListener('pointermove', onMove)
    box.removeEventListener('pointerup', onEnd)
    box.removeEventListener('pointercancel', onEnd)
    if (end.type === 'pointerup' && !isDragged && !isGrip) onClick({ x: from.x - left, y: from.y - top })
  }
  box.addEventListener('pointermove', onMove)
  box.addEventListener('pointerup', onEnd)
  box.addEventListener('pointercancel', onEnd)
}
