import { useLayoutEffect, useState, type RefObject, useSyncExternalStore } from 'react'

/**
 * Whether the chips of a row do not fit with their words in full. `words` changes whenever their widths may have. The measured
 * width is the same while the words are hidden, so that the result does not flip back and forth.
 */
export function useIsCrowded(row: RefObject<HTMLElement | null>, words: string): boolean {
  const [isCrowded, setCrowded] = useState(false)
  useLayoutEffect(() => {
    const element = row.current
    if (element === null) return
    const measure = () => setCrowded(neededPx(element) > element.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [row, words])
  return isCrowded
}

function neededPx(row: HTMLElement): number {
  const { paddingLeft, paddingRight, columnGap } = getComputedStyle(row)
  const chips = [...row.children].map((chip) => wholePx(chip as HTMLElement))
  // Widths are rounded, and a missing fraction of a pixel would truncate every word.
  const rounding = chips.length
  const gaps = (chips.length - 1) * Number.parseFloat(columnGap) + rounding
  return chips.reduce((sum, px) => sum + px, gaps + Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight))
}

/** The full width of a chip. */
function wholePx(chip: HTMLElement): number {
  const word = chip.querySelector<HTMLElement>('.ellipsis')
  if (word === null) return chip.offsetWidth
  const { maxWidth, columnGap } = getComputedStyle(chip)
  const isHidden = getComputedStyle(word).position === 'absolute'
  const lacking = isHidden ? word.scrollWidth + Number.parseFloat(columnGap) : word.scrollWidth - word.clientWidth
  return Math.min(chip.offsetWidth + lacking, Number.parseFloat(maxWidth))
}

/** From this width on the detail is a pane beside the list; in a narrower window it covers the list as a sheet. */
const wide = () => matchMedia('(width >= 1100px)')

function listen(listener: () => void): () => void {
  const query = wide()
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

export function useWide(): boolean {
  return useSyncExternalStore(listen, () => wide().matches)
}

export function isWideNow(): boolean {
  return wide().matches
}
