const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }

/**
 * Moves focus within a row of buttons by the arrow keys, Home and End, so that the whole row is a single tab stop. The caller leaves
 * one button in the tab order and gives the others `tabIndex={-1}`.
 */
export function moveInRow(event: React.KeyboardEvent<HTMLElement>): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('button')]
  const from = buttons.findIndex((button) => button === event.target)
  const step = STEPS[event.key]
  if (from < 0) return
  const isReversed =
    getComputedStyle(event.currentTarget).direction === 'rtl' && event.key !== 'ArrowUp' && event.key !== 'ArrowDown'
  const to =
    event.key === 'Home'
      ? 0
      : event.key === 'End'
        ? buttons.length - 1
        : step === undefined
          ? null
          : (from + (isReversed ? -step : step) + buttons.length) % buttons.length
  if (to === null) return
  event.preventDefault()
  event.stopPropagation()
  buttons[to]?.focus()
}
