import type { Virtualizer } from '@tanstack/react-virtual'
import { isShortcut, isTypedIn, useShortcuts } from '../../parts/use-shortcut.ts'
import { isApple } from '../../parts/shortcut-keys.ts'
import { inBackground } from '../../bridge/in-background.ts'
import { putBackJobs } from '../../store/jobs-actions.ts'
import { undoLast } from '../../store/undo.ts'
import { isHeadName } from '../../store/jobs-index.ts'
import { movedTo } from '../../store/jobs-selection.ts'
import { clearFilter, useJobs } from '../../store/jobs-store.ts'
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
  toggleSection,
} from './list-moves.ts'
import { askToRemove } from './ask-first.ts'

const LINE_PX = 44

type Lines = Virtualizer<HTMLDivElement, Element>

/** The keys of the list while it has the focus. Escape works wherever the focus is. */
export function useListKeys(lines: Lines): (event: React.KeyboardEvent) => void {
  useShortcuts({
    back: stepBack,
    undo: takeBack,
    review: () => inBackground('use-list-keys.startReview', startReview),
    step: ({ key }) => step(key, lines),
  })
  return (event) => {
    // The headings have keys of their own.
    if (event.target !== event.currentTarget || event.altKey || event.nativeEvent.isComposing) return
    const mod = isApple ? event.metaKey : event.ctrlKey
    if (move(event, mod, lines) || act(event, mod)) event.preventDefault()
  }
}

/** From wherever the focus is: the next or previous line, and the focus to the list unless something is read in the detail. */
function step(key: string, lines: Lines): boolean {
  if (!moveTo(key, lines, (name) => goToLine(name, { mod: false, shift: false }))) return false
  if (document.activeElement?.closest('.detail') == null) focusList()
  return true
}

function move({ key, shiftKey }: React.KeyboardEvent, mod: boolean, lines: Lines): boolean {
  const isLetter = key.length === 1
  if (mod && isLetter) return false
  return moveTo(key, lines, (name) => {
    if (mod && !shiftKey) standOnLine(name)
    else goToLine(name, { mod: false, shift: shiftKey })
  })
}

function moveTo(key: string, lines: Lines, go: (name: string) => void): boolean {
  const { index } = useJobs.getState()
  const page = Math.max(1, Math.floor((lines.scrollRect?.height ?? 0) / LINE_PX) - 1)
  const to = index === null ? null : movedTo(key, focusItem(), index.itemCount, page)
  const name = to === null ? null : (index?.nameAt(to) ?? null)
  if (to === null || name === null) return false
  go(name)
  lines.scrollToIndex(to, { align: 'auto' })
  return true
}

function act(event: React.KeyboardEvent, mod: boolean): boolean {
  const { focus } = useJobs.getState().selection
  const head = focus !== null && isHeadName(focus) ? focus.slice(1) : null
  const job = jobInFocus()
  const { key } = event
  if (isShortcut('all', event)) chooseEverything()
  else if (head !== null && (key === 'Enter' || key === ' ')) toggleSection(head)
  else if (key === 'ArrowLeft' || key === 'ArrowRight') return foldByArrow(key === 'ArrowLeft')
  else if (job === null) return false
  else if (isShortcut('open', event)) showDetail(job)
  else if (key === ' ' && mod) toggleLine(job)
  else if (isShortcut('preview', event)) useJobs.setState({ isQuickLookOpen: true })
  else if (isShortcut('remove', event) || (isApple && key === 'Backspace'))
    inBackground('use-list-keys.askToRemove', askToRemove)
  else return false
  return true
}

/** On a header: collapses or expands it. On a job of a group: the left arrow moves to its header. */
function foldByArrow(toFold: boolean): boolean {
  const { index, selection } = useJobs.getState()
  if (index === null || !index.grouped || selection.focus === null) return false
  if (isHeadName(selection.focus)) {
    const key = selection.focus.slice(1)
    if (index.isFolded(key) !== toFold) toggleSection(key)
    return true
  }
  if (!toFold) return false
  let item = focusItem()
  while (item > 0 && !index.isHead(item)) item -= 1
  const name = index.nameAt(item)
  if (name !== null) goToLine(name, { mod: false, shift: false })
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
  if (!undoLast()) inBackground('jobs.putBack', () => putBackJobs({}))
  return true
}
