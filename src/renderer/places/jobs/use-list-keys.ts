import { isShortcut, isTypedIn, useShortcuts } from '../../parts/use-shortcut.ts'
import { isApple } from '../../parts/shortcut-keys.ts'
import { inBackground } from '../../bridge/in-background.ts'
import { putBackJobs } from '../../store/jobs-actions.ts'
import { undoLast } from '../../store/toasts.ts'
import { isHeadName, type JobsIndex, type JobsLines } from '../../store/jobs-index.ts'
import { clearFilter, toggleSection, useJobs } from '../../store/jobs-store.ts'
import { startReview } from '../../store/text-work.ts'
import { useView } from '../../store/view-store.ts'
import {
  chooseEverything,
  chooseNothing,
  focusItem,
  focusList,
  goToLine,
  jobInFocus,
  showDetail,
  standOnLine,
  toggleLine,
} from './list-moves.ts'
import { askToRemove } from './ask-first.ts'

interface DrawnLines {
  lines: JobsLines | null
  page: number
  showLine: (line: number) => void
}

/** The keys of the list while it has the focus. Escape works wherever the focus is. */
export function useListKeys(drawn: DrawnLines): (event: React.KeyboardEvent) => void {
  useShortcuts({
    back: stepBack,
    undo: takeBack,
    review: () => inBackground(startReview),
    step: ({ key }) => step(key, drawn),
  })
  return (event) => {
    // The headers have buttons.
    if (event.target !== event.currentTarget || event.altKey || event.nativeEvent.isComposing) return
    const mod = isApple ? event.metaKey : event.ctrlKey
    if (move(event, mod, drawn) || act(event, mod)) event.preventDefault()
  }
}

/** From wherever the focus is: the next or previous line, and the focus to the list. */
function step(key: string, drawn: DrawnLines): boolean {
  if (!moveTo(key, drawn, (name) => goToLine(name, { mod: false, shift: false }))) return false
  focusList()
  return true
}

function move({ key, shiftKey }: React.KeyboardEvent, mod: boolean, drawn: DrawnLines): boolean {
  const isLetter = key.length === 1
  if (mod && isLetter) return false
  return moveTo(key, drawn, (name) => {
    if (mod && !shiftKey) standOnLine(name)
    else goToLine(name, { mod: false, shift: shiftKey })
  })
}

function moveTo(key: string, { lines, page, showLine }: DrawnLines, go: (name: string) => void): boolean {
  const { index } = useJobs.getState()
  if (index === null || lines === null || index.names.length === 0) return false
  const to = movedTo(key, index, lines, page)
  if (to === null) return false
  const name = index.names[Math.max(0, Math.min(index.names.length - 1, to))]!
  go(name)
  showLine(lines.lineOf(index.find(name)))
  return true
}

/** The item that a key moves to, which may be past an end; null for any other key. */
function movedTo(key: string, index: JobsIndex, lines: JobsLines, page: number): number | null {
  const from = focusItem()
  const isHead = isHeadName(index.names[from] ?? '')
  const isAside = lines.columns > 1 && !isHead && (key === 'ArrowRight' || key === 'ArrowLeft')
  if (isAside) return from + (key === 'ArrowRight' ? 1 : -1)
  const ways: Record<string, () => number> = {
    ArrowDown: () => lines.below(from, 1),
    ArrowUp: () => lines.below(from, -1),
    PageDown: () => lines.below(from, page),
    PageUp: () => lines.below(from, -page),
    j: () => from + 1,
    k: () => from - 1,
    Home: () => 0,
    End: () => index.names.length - 1,
  }
  const way = ways[key.length === 1 ? key.toLowerCase() : key]
  return way === undefined ? null : from < 0 ? 0 : way()
}

function act(event: React.KeyboardEvent, mod: boolean): boolean {
  const { focus } = useJobs.getState().selection
  const head = focus !== null && isHeadName(focus) ? focus.slice(1) : null
  const job = jobInFocus()
  const { key } = event
  if (isShortcut('all', event)) chooseEverything()
  else if (head !== null && (key === 'Enter' || key === ' ')) toggleSection(head)
  else if (key === 'ArrowLeft' || key === 'ArrowRight') return foldByArrow(head, key === 'ArrowLeft')
  else if (job === null) return false
  else if (isShortcut('open', event)) showDetail(job)
  else if (key === ' ' && mod) toggleLine(job)
  else if (isShortcut('remove', event) || (isApple && key === 'Backspace')) inBackground(askToRemove)
  else return false
  return true
}

function foldByArrow(head: string | null, toFold: boolean): boolean {
  const { index } = useJobs.getState()
  if (index === null || head === null) return false
  if (index.isFolded(head) !== toFold) toggleSection(head)
  return true
}

/** Closes the detail, else clears the selection, else the filter. */
function stepBack(): boolean {
  if (useView.getState().openJob !== null) {
    showDetail(null)
    return true
  }
  if (chooseNothing()) return true
  const before = useJobs.getState().filter
  clearFilter()
  return useJobs.getState().filter !== before
}

/** Undoes this window's last action, else the last removal. */
function takeBack({ target }: KeyboardEvent): boolean {
  if (isTypedIn(target)) return false
  if (!undoLast()) inBackground(() => putBackJobs({}))
  return true
}
