/** Runs in the page, so it stands alone. */
export function findCutOff(): string[] {
  const found = new Set<string>()
  const seen = (element: Element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  const nameOf = (element: Element) => {
    const words = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)
    return `${element.tagName.toLowerCase()}.${[...element.classList].join('.')} “${words}”`
  }
  const isForEars = (element: Element | null): boolean =>
    element !== null && (getComputedStyle(element).clipPath !== 'none' || isForEars(element.parentElement))
  const isInline = (node: Node) =>
    node.nodeType === Node.TEXT_NODE || (node instanceof Element && getComputedStyle(node).display === 'inline')
  const isPannable = (element: Element) => element.closest('.leaflet-container, .uplot') !== null
  /** Within an ancestor that scrolls sideways, all can be reached. */
  const clipOf = (element: Element): DOMRect => {
    let [left, right] = [0, innerWidth]
    for (let up = element.parentElement; up !== null; up = up.parentElement) {
      const { overflowX } = getComputedStyle(up)
      if (overflowX === 'auto' || overflowX === 'scroll') return up.getBoundingClientRect()
      if (overflowX === 'visible') continue
      const box = up.getBoundingClientRect()
      left = Math.max(left, box.left)
      right = Math.min(right, box.right)
    }
    return new DOMRect(left, 0, right - left, 0)
  }
  const scrollsSideways = (element: Element) => {
    for (let up = element.parentElement; up !== null; up = up.parentElement)
      if (/auto|scroll/.test(getComputedStyle(up).overflowX) && up.scrollWidth > up.clientWidth) return true
    return false
  }
  if (document.documentElement.scrollWidth > innerWidth + 1) found.add('the page is wider than the window')
  for (const part of document.querySelectorAll(
    '.frame-content, .place-scroll, .stage-scroll, .chargers-panel-body, .dialog, .dialog-body',
  ))
    if (part.scrollWidth > part.clientWidth + 1) {
      const rightOf = (element: Element) => element.getBoundingClientRect().right
      const widest = [...part.querySelectorAll('*')].reduce((one, other) =>
        rightOf(other) > rightOf(one) ? other : one,
      )
      found.add(`scrolls sideways: ${nameOf(part)} for ${nameOf(widest)}`)
    }
  for (const element of document.querySelectorAll('body *')) {
    if (!(element instanceof HTMLElement) || !seen(element) || isForEars(element) || isPannable(element)) continue
    if (element.closest('.unseen, [aria-hidden=true], option') !== null) continue
    const box = element.getBoundingClientRect()
    if (box.width <= 1 || box.height <= 1) continue
    const style = getComputedStyle(element)
    const isControl = element.matches('a, button, input, select, textarea, [role=option], [role=tab]')
    const words = [...element.childNodes].some(
      (node) => isInline(node) && node.textContent !== null && node.textContent.trim() !== '',
    )
    if (style.display === 'inline' && !isControl) continue
    if ((isControl || words) && !scrollsSideways(element)) {
      const { left, right } = clipOf(element)
      if (box.left < left - 1 || box.right > right + 1) found.add(`past the edge: ${nameOf(element)}`)
    }
    const isShort = element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0
    if (!words || !isShort) continue
    const isTold = element.closest('[title], [data-whole]') !== null
    if (style.overflowX === 'visible' && !element.matches('button, a')) {
      if (/^(nowrap|pre)$/.test(style.whiteSpace) || isControl) found.add(`over its place: ${nameOf(element)}`)
    } else if (!isTold) found.add(`cut: ${nameOf(element)}`)
  }
  for (const head of document.querySelectorAll('.dialog-head')) {
    const [title, close] = [...head.children].map((part) => part.getBoundingClientRect())
    if (title!.right > close!.left) found.add(`over the button beside it: ${nameOf(head)}`)
  }
  for (const section of document.querySelectorAll('.shortcuts section')) {
    const ends = [...section.querySelectorAll('dd')].map((keys) => Math.round(keys.getBoundingClientRect().right))
    if (new Set(ends).size > 1) found.add(`keys that end not in line: ${nameOf(section)}`)
  }
  return [...found]
}
