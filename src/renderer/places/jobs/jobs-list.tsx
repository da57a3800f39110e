import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useEffectEvent, useRef, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { ArrowUp } from 'lucide-react'
import { isNewestFirst } from '../../../shared/jobs/job-list.ts'
import { useNow } from '../../parts/use-now.ts'
import { inBackground } from '../../bridge/in-background.ts'
import { dragOut } from '../../store/jobs-actions.ts'
import { isHeadName, type JobsIndex } from '../../store/jobs-index.ts'
import { chooseOnly } from '../../store/jobs-selection.ts'
import { selectJobs, useJobs, wantRows, showPendingJobs } from '../../store/jobs-store.ts'
import { useCan } from '../../store/shell-store.ts'
import { useView } from '../../store/view-store.ts'
import { goToLine, showDetail, standOnLine, toggleLine, toggleSection } from './list-moves.ts'
import { ListHead } from './list-head.tsx'
import { JobLine } from './job-line.tsx'
import { useLineWords } from './line-words.ts'
import { ListNotice } from './list-notice.tsx'
import { SectionLine } from './section-line.tsx'
import { useHeldList } from './use-held-list.ts'
import { useListKeys } from './use-list-keys.ts'
import { countText } from '../../text/figures.ts'

import './jobs-list.css'

const LINE_PX = 44
const HEAD_PX = 32
const OVERSCAN = 4
/** Lines above and below that are fetched before they are visible. */
const FETCHED_AROUND = 40
const NOW_EVERY_MS = 30_000

/** The virtual list of jobs. */
export function JobsList() {
  const { t } = useTranslation('jobs')
  const index = useJobs((state) => state.index)
  // The index changes in place.
  const version = useJobs((state) => state.version)
  const isWaiting = useJobs((state) => state.phase === 'loading')
  const scroller = useRef<HTMLDivElement>(null)
  const lines = useLines(index, version, scroller)
  // From the virtualizer, because reading it from the element would force a layout.
  const hold = useHeldList((lines.scrollOffset ?? 0) > 0)
  const onKeyDown = useListKeys(lines)
  useOpenJobInSight(index, lines)
  const focus = useJobs((state) => state.selection.focus)
  const hasSeveral = useJobs((state) => state.selection.ids.size > 1)
  const shown = lines.getVirtualItems()
  const overflows = lines.getTotalSize() > (lines.scrollRect?.height ?? Infinity)
  useScrollBarWidth(scroller, overflows)
  const isInSight = focus !== null && shown.some(({ index: item }) => index?.nameAt(item) === focus)
  const isEmpty = index === null || index.jobCount === 0
  const order = useJobs((state) => state.order)
  return (
    <div className="jobs-list" onPointerMove={hold.onPointerMove} onPointerLeave={hold.onPointerLeave}>
      <div
        className={namesOf({ 'jobs-grid': true, waiting: isWaiting, several: hasSeveral, overflowing: overflows })}
        data-skip-to
        role={index?.grouped === true ? 'treegrid' : 'grid'}
        aria-label={isNewestFirst(order) ? t('list') : t('listBy', { what: t(`column.${order.by}`) })}
        aria-rowcount={(index?.itemCount ?? 0) + 1}
        aria-multiselectable
        aria-busy={isWaiting}
        aria-activedescendant={isInSight ? `job-${focus}` : undefined}
        tabIndex={isEmpty ? -1 : 0}
        onKeyDown={onKeyDown}
        onClick={onClick}
        onDragStart={onDragStart}
        onBlur={hold.onBlur}
        onFocus={({ target, currentTarget }) => {
          hold.onFocus()
          // Focusing a link would take focus away from the list and its keys.
          if (target.closest('.jobs-line') !== null) currentTarget.focus({ preventScroll: true })
          if (target !== currentTarget) return
          const first = index?.nameAt(shown[0]?.index ?? 0)
          if (useJobs.getState().selection.focus === null && first != null) standOnLine(first)
        }}
      >
        <ListHead />
        <div ref={scroller} className="jobs-scroll" role="rowgroup">
          {index === null ? null : <Lines index={index} version={version} lines={lines} />}
        </div>
      </div>
      <PendingPill />
      {isEmpty ? <ListNotice /> : null}
    </div>
  )
}

const namesOf = (names: Record<string, boolean>) =>
  Object.keys(names)
    .filter((name) => names[name])
    .join(' ')

/** Tells the headings what the scroll bar takes from the lines: none where it lies over them. */
function useScrollBarWidth(scroller: RefObject<HTMLDivElement | null>, overflows: boolean): void {
  useEffect(() => {
    const element = scroller.current
    if (element === null || !overflows) return
    element.parentElement?.style.setProperty('--scroll-bar', `${element.offsetWidth - element.clientWidth}px`)
  }, [scroller, overflows])
}

type ListLines = Virtualizer<HTMLDivElement, Element>

/** Scrolls to a job that is opened from elsewhere or by stepping in the detail, and focuses it. */
function useOpenJobInSight(index: JobsIndex | null, lines: ListLines): void {
  const openJob = useView((view) => view.openJob)
  const bringInSight = useEffectEvent((id: string) => {
    const item = index?.find(id) ?? -1
    if (item < 0) return
    if (useJobs.getState().selection.focus !== id) selectJobs(chooseOnly(id))
    lines.scrollToIndex(item, { align: 'auto' })
  })
  const isThere = index !== null
  // When the list first appears, and not on every change: lines must not move while a person reads them.
  useEffect(() => {
    if (openJob !== null && isThere) bringInSight(openJob)
  }, [openJob, isThere])
}

function useLines(index: JobsIndex | null, version: number, scroller: RefObject<HTMLDivElement | null>): ListLines {
  // A new function makes the virtualizer measure again: headers may have moved in a list of the same length.
  const getItemKey = useCallback((item: number) => (version < 0 ? -1 : item), [version])
  const lines = useVirtualizer({
    count: index?.itemCount ?? 0,
    getScrollElement: () => scroller.current,
    estimateSize: (item) => (index?.isHead(item) === true ? HEAD_PX : LINE_PX),
    overscan: OVERSCAN,
    getItemKey,
    // Rendering synchronously in scroll events drops frames.
    useFlushSync: false,
  })
  const shown = lines.getVirtualItems()
  const first = shown[0]?.index ?? 0
  const last = shown.at(-1)?.index ?? 0
  useEffect(() => {
    if (index !== null) wantRows(index.idsBetween(first - FETCHED_AROUND, last + FETCHED_AROUND))
  }, [index, version, first, last])
  const filter = useJobs((state) => state.filter)
  const groupBy = useJobs((state) => state.groupBy)
  const order = useJobs((state) => state.order)
  useEffect(() => {
    if (scroller.current !== null) scroller.current.scrollTop = 0
  }, [filter, groupBy, order, scroller])
  return lines
}

function Lines({ index, lines }: { index: JobsIndex; version: number; lines: ListLines }) {
  const words = useLineWords()
  const { ids, focus } = useJobs((state) => state.selection)
  const groupBy = useJobs((state) => state.groupBy)
  const isDraggable = useCan('startDrag')
  const nowMs = useNow(NOW_EVERY_MS)
  const shown = lines.getVirtualItems()
  return (
    <div className="jobs-whole" style={{ height: lines.getTotalSize() }}>
      <div className="jobs-shown" style={{ transform: `translateY(${shown[0]?.start ?? 0}px)` }}>
        {shown.map(({ index: item }) => {
          const found = index.itemAt(item)
          if (found === null) return null
          if (found.kind === 'section') {
            const { key, title, atMs, count } = found.section
            return (
              <SectionLine
                key={`#${key}`}
                sectionKey={key}
                title={title}
                atMs={atMs}
                count={count}
                isFolded={index.isFolded(key)}
                isFocus={focus === `#${key}`}
                groupBy={groupBy}
                item={item}
                words={words}
              />
            )
          }
          const { id } = found
          return (
            <JobLine
              key={id}
              id={id}
              item={item}
              isChosen={ids.has(id)}
              isFocus={focus === id}
              isGrouped={index.grouped}
              isDraggable={isDraggable}
              nowMs={nowMs}
              words={words}
            />
          )
        })}
      </div>
    </div>
  )
}

const nameOf = (target: EventTarget) =>
  target instanceof Element ? (target.closest<HTMLElement>('[data-name]')?.dataset.name ?? null) : null
const isOn = (target: EventTarget, what: string) => target instanceof Element && target.closest(what) !== null

/**
 * Works the same at every width: a click opens the picture; a click on its check mark, or with Ctrl or Shift, selects it. The links in
 * the lines only react to other mouse buttons.
 */
function onClick(event: React.MouseEvent): void {
  const name = nameOf(event.target)
  if (name === null) return
  event.preventDefault()
  if (isHeadName(name)) {
    goToLine(name, { mod: false, shift: false })
    return toggleSection(name.slice(1))
  }
  const modifiers = { mod: event.ctrlKey || event.metaKey, shift: event.shiftKey }
  if (isOn(event.target, '[data-toggle]') && !modifiers.shift) return toggleLine(name)
  goToLine(name, modifiers)
  if (!modifiers.mod && !modifiers.shift) showDetail(name)
}

function onDragStart(event: React.DragEvent): void {
  const name = nameOf(event.target)
  // The shell drags the files; the browser's own drag would show the page's elements.
  event.preventDefault()
  if (name === null || isHeadName(name)) return
  const { ids } = useJobs.getState().selection
  inBackground('jobs-list.dragOut', () => dragOut(ids.has(name) ? [...ids] : [name]))
}

/** The number of changes that wait while a person uses the list; a click shows them. */
function PendingPill() {
  const { t, i18n } = useTranslation('jobs')
  const pending = useJobs((state) => state.pending)
  if (pending === null) return null
  const text =
    pending === 0 ? t('changed') : t('pending', { count: pending, figure: countText(pending, i18n.language) })
  return (
    <button type="button" className="jobs-pill figures" onClick={showPendingJobs}>
      <ArrowUp size={12} aria-hidden />
      {text}
    </button>
  )
}
