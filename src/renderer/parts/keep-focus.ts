const STOP =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex]'

/** Where an element was: its ancestors from the innermost, each with the index of the child on the way to it. */
type Way = { parent: Element; index: number }[]

/** The focus that the page has, or a dialog over it. */
interface Kept {
  dialog: Element | null
  element: HTMLElement
  way: Way
  wasDisabled: boolean
}

/** These come and go, and the focus comes back to what had it before. */
const PASSING = '.menu, .popover, .toasts'

/**
 * When what has the keyboard focus is removed or disabled, the focus does not fall to the page: what stands in its place gets it, and what
 * was disabled gets it back. Browsers do neither. Call once.
 */
export function keepFocus(): void {
  let kept: Kept[] = []
  let passing: HTMLElement | null = null
  const remember = ({ target: element }: FocusEvent) => {
    if (!(element instanceof HTMLElement)) return
    passing = element.closest(PASSING) === null ? null : element
    if (passing !== null) return
    const dialog = element.closest('dialog')
    kept = [
      ...kept.filter((one) => one.dialog !== dialog),
      { dialog, element, way: wayTo(element), wasDisabled: false },
    ]
  }
  const restore = () => {
    kept = kept.filter(({ dialog }) => dialog?.isConnected !== false)
    const last = kept.at(-1)
    if (last === undefined) return
    const isDisabled = last.element.matches(':disabled')
    last.wasDisabled ||= isDisabled
    if (document.activeElement !== document.body) return
    if (!last.element.isConnected) stopAt(last.way)?.focus()
    else if (passing?.isConnected === false || (last.wasDisabled && !isDisabled))
      last.element.focus({ preventScroll: true })
  }
  // After dialogs and menus have given the focus back themselves.
  const observer = new MutationObserver(() => setTimeout(restore))
  observer.observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] })
  document.addEventListener('focusin', remember)
}

function wayTo(element: Element): Way {
  const way: Way = []
  for (let child = element; child.parentElement !== null; child = child.parentElement)
    way.push({ parent: child.parentElement, index: [...child.parentElement.children].indexOf(child) })
  return way
}

/** What can have the focus at the same place, else the nearest that can, first of all what follows. */
function stopAt(way: Way): HTMLElement | null {
  const depth = way.findIndex(({ parent }) => parent.isConnected)
  if (depth === -1) return null
  let place = way[depth]!.parent
  for (const { index } of way.slice(0, depth + 1).toReversed())
    place = place.children[Math.min(index, place.children.length - 1)] ?? place
  for (let part: Element | null = place; part !== null; part = part.parentElement) {
    for (const near of [part, ...siblings(part, 'next'), ...siblings(part, 'previous')]) {
      const stop = [near, ...near.querySelectorAll(STOP)].find(canStop)
      if (stop instanceof HTMLElement) return stop
    }
  }
  return null
}

function siblings(part: Element, side: 'next' | 'previous'): Element[] {
  const next = part[`${side}ElementSibling`]
  return next === null ? [] : [next, ...siblings(next, side)]
}

const canStop = (one: Element): boolean => one.matches(STOP) && one.checkVisibility()
