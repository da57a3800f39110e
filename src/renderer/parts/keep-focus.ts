const STOP =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex]'

/** Where an element was: its ancestors from the innermost, each with the index of the child on the way to it. */
type Way = { parent: Element; index: number }[]

/** The last element with the focus in the page, or in a dialog or popover over it. */
interface Kept {
  over: Element | null
  element: HTMLElement
  /** Selector of what gets the focus after it (`data-focus-after`). */
  after: string | undefined
  way: Way
}

const OVER = 'dialog, [role=dialog]'
/** After these, what had the focus before gets it back. */
const PASSING = '.menu, .toasts'

/**
 * Keeps the keyboard focus from falling to the page when the focused element is removed: what stands in its place gets it, and after a
 * dialog or a menu what had it before. Browsers do neither. Call once.
 */
export function keepFocus(): void {
  let kept: Kept[] = []
  let current: HTMLElement | null = null
  const keep = (target: Element, element: HTMLElement | null) => {
    if (target.closest(PASSING) !== null) return
    const over = target.closest(OVER)
    kept = kept.filter((one) => one.over !== over)
    if (element === null) return
    const after = element.closest<HTMLElement>('[data-focus-after]')?.dataset['focusAfter']
    kept.push({ over, element, after, way: wayTo(element) })
  }
  const onFocus = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement)) return
    current = target
    keep(target, target)
  }
  // A press does not focus the button of a menu. A press on nothing that can have the focus gives it up.
  const onPress = ({ target, button }: PointerEvent) => {
    if (button === 0 && target instanceof Element) keep(target, target.closest<HTMLElement>(STOP))
  }
  const restore = () => {
    kept = kept.filter(({ over }) => over?.isConnected !== false)
    const last = kept.at(-1)
    if (last === undefined || document.activeElement !== document.body || current?.isConnected === true) return
    const { over, element, after, way } = last
    const next = after === undefined ? null : (over ?? document).querySelector<HTMLElement>(after)
    if (element.isConnected) element.focus({ preventScroll: true })
    else (next ?? stopAt(way))?.focus()
  }
  // After menus have given the focus back themselves.
  const observer = new MutationObserver(() => document.activeElement === document.body && setTimeout(restore))
  observer.observe(document.body, { subtree: true, childList: true })
  document.addEventListener('focusin', onFocus)
  document.addEventListener('pointerdown', onPress, { capture: true })
}

function wayTo(element: Element): Way {
  const way: Way = []
  for (let child = element; child.parentElement !== null; child = child.parentElement)
    way.push({ parent: child.parentElement, index: [...child.parentElement.children].indexOf(child) })
  return way
}

/** What held the element, if that can have the focus; else what can at the same place or near to it, first of all what follows. */
function stopAt(way: Way): HTMLElement | null {
  const depth = way.findIndex(({ parent }) => parent.isConnected)
  if (depth === -1) return null
  let place = way[depth]!.parent
  if (canStop(place)) return place
  for (const { index } of way.slice(0, depth + 1).toReversed())
    place = place.children[Math.min(index, place.children.length - 1)] ?? place
  for (let part: Element | null = place; part !== null; part = part.parentElement) {
    for (const near of [part, ...siblings(part, 'next'), ...siblings(part, 'previous')]) {
      const stop = [near, ...near.querySelectorAll(STOP)].find(canStop)
      if (stop !== undefined) return stop
    }
  }
  return null
}

function siblings(part: Element, side: 'next' | 'previous'): Element[] {
  const next = part[`${side}ElementSibling`]
  return next === null ? [] : [next, ...siblings(next, side)]
}

const canStop = (one: Element): one is HTMLElement => one.matches(STOP) && one.checkVisibility()
