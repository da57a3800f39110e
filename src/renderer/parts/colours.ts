/* For what is drawn on a canvas, where colours do not change by themselves. */

const forced = matchMedia('(forced-colors: active)')

/** Calls back when colours change: with the window's theme, or a contrast theme of the system. Returns unsubscribe. */
export function onColours(listener: () => void): () => void {
  const observer = new MutationObserver(listener)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  forced.addEventListener('change', listener)
  return () => {
    observer.disconnect()
    forced.removeEventListener('change', listener)
  }
}

export const coloursNow = () => `${document.documentElement.dataset.theme} ${forced.matches}`

/** Resolves a CSS colour at this element to one that a canvas accepts. Changes the element's style. */
export function readColour(element: HTMLElement): (colour: string) => string {
  return (colour) => {
    element.style.color = colour
    // Otherwise forced colours would make all of them the same.
    element.style.setProperty('forced-color-adjust', 'none')
    return getComputedStyle(element).color
  }
}
