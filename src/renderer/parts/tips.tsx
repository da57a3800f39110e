import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'

const DELAY_MS = 500
/** A pointer may cross the gap to the tooltip, and the next one shows at once for as long. */
const LINGER_MS = 300
const GAP = 4
const EDGE = 8

/**
 * The tooltip of whatever has `data-tip`, at its `data-tip-side` (`left`, `right`, else above or below), while the pointer rests on it or the
 * keyboard's focus is there. Stands once in the page, above dialogs too. Such an element has an accessible name of its own.
 */
export function Tips() {
  const [target, setTarget] = useState<HTMLElement | null>(null)
  const tip = useRef<HTMLDivElement>(null)
  const id = useId()
  useEffect(() => watchTargets(setTarget), [])
  useLayoutEffect(() => {
    if (target === null || tip.current === null) return undefined
    if (!tip.current.matches(':popover-open')) tip.current.showPopover()
    placeBeside(target, tip.current)
    if (target.hasAttribute('aria-describedby')) return undefined
    target.setAttribute('aria-describedby', id)
    return () => target.removeAttribute('aria-describedby')
  }, [target, id])
  if (target === null) return null
  return (
    <div ref={tip} id={id} role="tooltip" popover="manual" className="tooltip">
      {target.dataset['tip']}
    </div>
  )
}

/** Tells whose tooltip is to be shown. Returns what ends that. */
function watchTargets(show: (target: HTMLElement | null) => void): () => void {
  let shown: HTMLElement | null = null
  /** Pressed: its tooltip comes again only when the pointer was elsewhere. */
  let pressed: HTMLElement | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const change = (target: HTMLElement | null, delayMs = 0) => {
    clearTimeout(timer)
    if (target === shown) return
    timer = setTimeout(() => show((shown = target?.isConnected === true ? target : null)), delayMs)
  }
  const tipped = ({ target }: Event) =>
    target instanceof Element ? target.closest<HTMLElement>('[data-tip], .tooltip') : null
  const ending = new AbortController()
  const on = <Name extends keyof DocumentEventMap>(name: Name, act: (event: DocumentEventMap[Name]) => void) =>
    document.addEventListener(name, act, { capture: true, signal: ending.signal })
  on('pointerover', (event) => {
    const target = tipped(event)
    if (event.pointerType === 'touch' || (target !== null && target === pressed)) return
    pressed = null
    if (target?.matches('.tooltip') === true) clearTimeout(timer)
    else change(target, target === null || shown !== null ? LINGER_MS : DELAY_MS)
  })
  on('focusin', (event) => {
    if (event.target instanceof Element && event.target.matches(':focus-visible')) change(tipped(event))
  })
  on('focusout', () => change(null))
  on('scroll', () => change(null))
  on('pointerdown', (event) => {
    pressed = tipped(event)
    change(null)
  })
  on('keydown', ({ key }) => key !== 'Tab' && change(null))
  return () => {
    clearTimeout(timer)
    ending.abort()
  }
}

function placeBeside(target: HTMLElement, tip: HTMLElement): void {
  const at = target.getBoundingClientRect()
  const { width, height } = tip.getBoundingClientRect()
  const side = target.dataset['tipSide']
  const isBeside = side === 'left' || side === 'right'
  const above = at.top - GAP - height
  const left =
    side === 'left' ? at.left - GAP - width : side === 'right' ? at.right + GAP : middle(at.left, at.right, width)
  const top = isBeside ? middle(at.top, at.bottom, height) : above < EDGE ? at.bottom + GAP : above
  tip.style.left = `${inside(left, width, innerWidth)}px`
  tip.style.top = `${inside(top, height, innerHeight)}px`
}

const middle = (start: number, end: number, size: number) => (start + end - size) / 2
const inside = (start: number, size: number, room: number) => Math.max(EDGE, Math.min(start, room - EDGE - size))
