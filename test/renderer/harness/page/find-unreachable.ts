/**
 * Runs in the page, so it stands alone. Scrolls to each control as a person could, and gives in words those that are not in sight then, and
 * the lists and maps with less than `leastPx` in sight. Of what opens over the place, only the topmost counts.
 */
export function findUnreachable(leastPx: number): string[] {
  const found: string[] = []
  const over = [...document.querySelectorAll('dialog[open], .popover, .menu')].at(-1)
  const whole = over ?? document.querySelector('.frame-content, .frame-page') ?? document.body
  const nameOf = (element: Element) => {
    const words = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)
    return `${element.tagName.toLowerCase()}.${[...element.classList].join('.')} “${words}”`
  }
  /** A person cannot scroll what hides its overflow, and a script can. */
  const scrollTo = (element: Element, block: ScrollLogicalPosition) => {
    element.scrollIntoView({ block, inline: 'center', behavior: 'instant' })
    document.documentElement.scrollTop = 0
    for (let up = element.parentElement; up !== null; up = up.parentElement)
      for (const [way, scrolled] of [
        ['overflowX', 'scrollLeft'],
        ['overflowY', 'scrollTop'],
      ] as const)
        if (/hidden|clip/.test(getComputedStyle(up)[way])) up[scrolled] = 0
  }
  const isIn = (element: Element, at: Element | null) => at !== null && (element.contains(at) || at.contains(element))
  for (const element of whole.querySelectorAll('a, button, input, select, textarea, [tabindex="0"]')) {
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
    if (element.closest('[inert], [aria-hidden=true], .leaflet-container') !== null || element.matches(':disabled'))
      continue
    const box = () => element.getBoundingClientRect()
    if (box().width <= 1 || box().height <= 1) continue
    scrollTo(element, 'center')
    const { left, width, top, height } = box()
    const [x, y] = [left + width / 2, Math.max(top, 0) + Math.min(height, innerHeight) / 2]
    if (!isIn(element, document.elementFromPoint(x, y))) found.push(`cannot be reached: ${nameOf(element)}`)
  }
  for (const element of whole.querySelectorAll('[role=grid], [role=treegrid], [role=listbox], .leaflet-container')) {
    if (element.closest('[inert]') !== null || !element.checkVisibility()) continue
    scrollTo(element, 'start')
    const { top, bottom } = (element.querySelector('[role=rowgroup]:last-child') ?? element).getBoundingClientRect()
    const inSight = Math.min(bottom, innerHeight) - Math.max(top, 0)
    if (inSight < leastPx) found.push(`has ${Math.round(inSight)} pixels of height: ${nameOf(element)}`)
  }
  return found
}
