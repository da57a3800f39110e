import { useState, type RefObject } from 'react'
import { selectJobs, useJobs } from '../../store/jobs-store.ts'
import { chooseNothing } from './list-moves.ts'

/** In the content of the scroller. */
interface Band {
  left: number
  top: number
  width: number
  height: number
}

/** So much of a movement is still a click. */
const MIN_PX = 4
/** So near to the upper and the lower edge, and past them, the list scrolls, the faster the farther. */
const EDGE_PX = 32
const FASTEST_PX = 24

/** Selects the tiles that a drawn rectangle touches; with Ctrl or Shift in addition. A click between tiles clears the selection. */
export function useBand(scroller: RefObject<HTMLDivElement | null>) {
  const [band, setBand] = useState<Band | null>(null)
  const onPointerDown = (down: React.PointerEvent) => {
    const element = scroller.current
    if (element === null || down.button !== 0 || !isSpace(down.target)) return
    const before = down.ctrlKey || down.metaKey || down.shiftKey ? useJobs.getState().selection.ids : new Set<string>()
    const frame = element.getBoundingClientRect()
    const inContent = (x: number, y: number) => ({ x: x - frame.left, y: y - frame.top + element.scrollTop })
    const from = inContent(down.clientX, down.clientY)
    let pointer = { x: down.clientX, y: down.clientY }
    // Tiles that were scrolled away keep what the rectangle made of them.
    const touched = new Set(before)
    let isDrawn = false
    const draw = () => {
      const within = (at: number, least: number, most: number) => Math.max(least, Math.min(most, at))
      const to = inContent(within(pointer.x, frame.left, frame.right), within(pointer.y, frame.top, frame.bottom))
      const [left, top] = [Math.min(from.x, to.x), Math.min(from.y, to.y)]
      const [width, height] = [Math.abs(from.x - to.x), Math.abs(from.y - to.y)]
      isDrawn ||= width > MIN_PX || height > MIN_PX
      if (!isDrawn) return
      setBand({ left, top, width, height })
      for (const tile of element.querySelectorAll<HTMLElement>('.jobs-line')) {
        const box = tile.getBoundingClientRect()
        const at = inContent(box.left, box.top)
        const isIn = at.x < left + width && at.x + box.width > left && at.y < top + height && at.y + box.height > top
        const id = tile.dataset.name!
        if (isIn) touched.add(id)
        else if (!before.has(id)) touched.delete(id)
      }
      const { focus, anchor } = useJobs.getState().selection
      const [last = focus] = [...touched].slice(-1)
      selectJobs({ ids: new Set(touched), anchor: anchor ?? last, focus: last })
    }
    let nextFrame = 0
    const scroll = () => {
      const past = Math.min(0, pointer.y - frame.top - EDGE_PX) || Math.max(0, pointer.y - frame.bottom + EDGE_PX)
      const { scrollTop } = element
      if (isDrawn) element.scrollTop += Math.sign(past) * Math.min(FASTEST_PX, Math.abs(past) / 2)
      if (element.scrollTop !== scrollTop) draw()
      nextFrame = requestAnimationFrame(scroll)
    }
    const onMove = ({ clientX, clientY }: PointerEvent) => {
      pointer = { x: clientX, y: clientY }
      draw()
    }
    const end = () => {
      cancelAnimationFrame(nextFrame)
      removeEventListener('pointermove', onMove)
      removeEventListener('pointerup', end)
      removeEventListener('pointercancel', end)
      setBand(null)
      if (!isDrawn && before.size === 0) chooseNothing()
    }
    scroll()
    addEventListener('pointermove', onMove)
    addEventListener('pointerup', end)
    addEventListener('pointercancel', end)
  }
  return { band, onPointerDown }
}

const isSpace = (target: EventTarget) =>
  target instanceof Element &&
  target.closest('.jobs-scroll') !== null &&
  target.closest('.jobs-line, .jobs-section') === null
