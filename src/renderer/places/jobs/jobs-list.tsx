import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import {
  lazy,
  Suspense,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type PointerEvent,
  type RefObject,
} from 'react'
import i18next, { t } from 'i18next'
import { ArrowUp } from 'lucide-react'
import { inBackground } from '../../bridge/in-background.ts'
import { dragOut } from '../../store/jobs-actions.ts'
import { isHeadName, JobsLines, type JobsIndex } from '../../store/jobs-index.ts'
import { chooseOnly } from '../../store/jobs-selection.ts'
import { holdList, selectJobs, showPendingJobs, toggleSection, useJobs, wantRows } from '../../store/jobs-store.ts'
import { useCan } from '../../store/shell-store.ts'
import { useView } from '../../store/view-store.ts'
import { focusItem, goToLine, jobInFocus, showDetail, standOnLine, toggleLine } from './list-moves.ts'
import { GroupHead } from './group-head.tsx'
import { JobTile } from './job-tile.tsx'
import { orderName } from './list-order.ts'
import { ListNotice } from './list-notice.tsx'
import type { MenuPoint } from './picture-menu.tsx'
import { useBand } from './use-band.ts'
import { useListKeys } from './use-list-keys.ts'

import './jobs-list.css'

const PictureMenu = lazy(() => import('./picture-menu.tsx'))

const ROW_PX = 64
const HEAD_PX = 44
/** Between tiles. */
const GAP_PX = 16
/** Of a tile, below its picture: two lines and what sets it apart from the next. */
const WORDS_PX = 44 + GAP_PX
const PICTURE_SHARE = 3 / 4
const OVERSCAN = 2
/** Jobs before and behind that are fetched before they are visible. */
const FETCHED_AROUND = 60

export function JobsList() {
  const index = useJobs((state) => state.index)
  const isWaiting = useJobs((state) => state.phase === 'loading')
  const scroller = useRef<HTMLDivElement>(null)
  const drawn = useDrawnLines(index, scroller)
  const { lines, virtual } = drawn
  // From the virtualizer, because reading it from the element would force a layout.
  const hold = useHeldList((virtual.scrollOffset ?? 0) > 0)
  const onKeyDown = useListKeys(drawn)
  useOpenJobInSight(index, drawn.showItem)
  const focus = useJobs((state) => state.selection.focus)
  const hasSeveral = useJobs((state) => state.selection.ids.size > 1)
  const isInSight = focus !== null && index !== null && drawn.isShown(index.find(focus))
  const isEmpty = index === null || index.jobCount === 0
  const order = useJobs((state) => state.order)
  const { band, onPointerDown } = useBand(scroller)
  const [menu, setMenu] = useState<MenuPoint | null>(null)
  return (
    <div className="jobs-list" onPointerMove={hold.onPointerMove} onPointerLeave={hold.onPointerLeave}>
      <div
        className={namesOf({ 'jobs-grid': true, [drawn.look]: true, waiting: isWaiting, several: hasSeveral })}
        data-skip-to
        role="grid"
        aria-label={`${t('common:places.jobs')} · ${t(`jobs:order.${orderName(order)}`)}`}
        aria-rowcount={lines?.count ?? 0}
        aria-multiselectable
        aria-busy={isWaiting}
        aria-activedescendant={isInSight ? `job-${focus}` : undefined}
        tabIndex={isEmpty ? -1 : 0}
        onKeyDown={onKeyDown}
        onClick={onClick}
        onDragStart={onDragStart}
        onContextMenu={(event) => setMenu(menuPoint(event))}
        onBlur={hold.onBlur}
        onFocus={({ target, currentTarget }) => {
          hold.onFocus()
          // Focusing a link would take focus away from the list and its keys.
          if (target.closest('.jobs-line') !== null) currentTarget.focus({ preventScroll: true })
          if (target !== currentTarget) return
          const first = index?.idsBetween(drawn.first, drawn.last)[0]
          if (useJobs.getState().selection.focus === null && first !== undefined) standOnLine(first)
        }}
      >
        <div ref={scroller} className="jobs-scroll" role="rowgroup" onPointerDown={onPointerDown}>
          {index === null || lines === null ? null : <Lines index={index} drawn={drawn} />}
          {band === null ? null : <div className="jobs-band" style={{ ...band }} />}
        </div>
      </div>
      <Suspense fallback={null}>
        {menu === null ? null : <PictureMenu key={menu.id} {...menu} onClose={() => setMenu(null)} />}
      </Suspense>
      <PendingPill />
      {isEmpty ? <ListNotice /> : null}
    </div>
  )
}

const namesOf = (names: Record<string, boolean>) =>
  Object.keys(names)
    .filter((name) => names[name])
    .join(' ')

/** Scrolls to a job that is opened from elsewhere or by stepping in the detail, and focuses it. */
function useOpenJobInSight(index: JobsIndex | null, showItem: (item: number) => void): void {
  const openJob = useView((view) => view.openJob)
  const bringInSight = useEffectEvent((id: string) => {
    const item = index?.find(id) ?? -1
    if (item < 0) return
    if (useJobs.getState().selection.focus !== id) selectJobs(chooseOnly(id))
    showItem(item)
  })
  const isThere = index !== null
  // When the list first appears, and not on every change: lines must not move while a person reads them.
  useEffect(() => {
    if (openJob !== null && isThere) bringInSight(openJob)
  }, [openJob, isThere])
}

type Drawn = ReturnType<typeof useDrawnLines>

/** The lines in sight, each as high as what is in it. */
function useDrawnLines(index: JobsIndex | null, scroller: RefObject<HTMLDivElement | null>) {
  const look = useJobs((state) => state.look)
  const tilePx = useJobs((state) => state.tilePx)
  const inner = useInnerWidth(scroller)
  const columns = look === 'list' ? 1 : Math.max(1, Math.floor((inner + GAP_PX) / (tilePx + GAP_PX)))
  const pictureWidth = (inner - (columns - 1) * GAP_PX) / columns
  const linePx = look === 'list' ? ROW_PX : Math.round(pictureWidth * PICTURE_SHARE) + WORDS_PX
  const lines = useMemo(() => (index === null ? null : new JobsLines(index, columns)), [index, columns])
  // A new function makes the virtualizer measure again: headers may have moved in a list of the same length.
  const getItemKey = useCallback((line: number) => (lines === null ? -linePx : line), [lines, linePx])
  const virtual: Virtualizer<HTMLDivElement, Element> = useVirtualizer({
    count: lines?.count ?? 0,
    getScrollElement: () => scroller.current,
    estimateSize: (line) => (lines?.isHead(line) === true ? HEAD_PX : linePx),
    overscan: OVERSCAN,
    getItemKey,
    // Rendering synchronously in scroll events drops frames.
    useFlushSync: false,
  })
  const shown = virtual.getVirtualItems()
  const first = lines?.itemsOf(shown[0]?.index ?? 0).item ?? 0
  const end = lines?.itemsOf(shown.at(-1)?.index ?? 0)
  const last = end === undefined ? 0 : end.item + end.count - 1
  useEffect(() => {
    if (index !== null) wantRows(index.idsBetween(first - FETCHED_AROUND, last + FETCHED_AROUND))
  }, [index, first, last])
  useKeptPlace(scroller, virtual, lines, linePx)
  const filter = useJobs((state) => state.filter)
  const groupBy = useJobs((state) => state.groupBy)
  const order = useJobs((state) => state.order)
  useEffect(() => {
    if (scroller.current !== null) scroller.current.scrollTop = 0
  }, [filter, groupBy, order, scroller])
  const showLine = (line: number) => virtual.scrollToIndex(line, { align: 'auto' })
  return {
    look,
    columns,
    linePx,
    lines,
    virtual,
    first,
    last,
    page: Math.max(1, Math.floor((virtual.scrollRect?.height ?? 0) / linePx) - 1),
    showLine,
    showItem: (item: number) => showLine(lines?.lineOf(item) ?? 0),
    isShown: (item: number) => item >= first && item <= last,
  }
}

/** Keeps the focused picture where it is when lines change their size or number, or else the first one in sight. */
function useKeptPlace(
  scroller: RefObject<HTMLDivElement | null>,
  virtual: Virtualizer<HTMLDivElement, Element>,
  lines: JobsLines | null,
  linePx: number,
): void {
  const kept = useRef({ item: 0, belowTop: 0, setTo: 0, shape: '', focus: null as string | null })
  const { scrollOffset, scrollRect } = virtual
  const focus = useJobs((state) => state.selection.focus)
  useLayoutEffect(() => {
    const place = kept.current
    if (scroller.current === null || lines === null) return
    const topOf = (item: number) => virtual.measurementsCache[lines.lineOf(item)]?.start ?? 0
    const [top, height] = [scrollOffset ?? 0, scrollRect?.height ?? 0]
    const shape = `${lines.columns} ${linePx}`
    const inFocus = focusItem()
    const isInSight = inFocus >= 0 && topOf(inFocus) >= top && topOf(inFocus) + linePx <= top + height
    if (focus !== place.focus) {
      Object.assign(place, { focus, setTo: -Infinity })
      // It is brought in sight, and where to is known only when that has happened.
      if (inFocus >= 0 && (!isInSight || shape !== place.shape))
        Object.assign(place, { item: inFocus, belowTop: height / 2, setTo: top })
    }
    if (shape !== place.shape) {
      const belowTop = Math.min(place.belowTop, Math.max(0, height - linePx))
      virtual.scrollToOffset(topOf(place.item) - belowTop)
      Object.assign(place, { shape, setTo: scroller.current.scrollTop })
    } else if (Math.abs(top - place.setTo) > 1) {
      const item = isInSight ? inFocus : lines.itemsOf(virtual.getVirtualItemForOffset(top)?.index ?? 0).item
      Object.assign(place, { item, belowTop: topOf(item) - top, setTo: -Infinity })
    }
  }, [scroller, virtual, lines, linePx, scrollOffset, scrollRect, focus])
}

/** The width without the scroll bar and the margins, which are those of the title row. */
function useInnerWidth(scroller: RefObject<HTMLDivElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    const measure = () => setWidth(element.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller])
  return width - 2 * (innerWidth < 860 ? 16 : 24)
}

function Lines({ index, drawn }: { index: JobsIndex; drawn: Drawn }) {
  const { ids, focus } = useJobs((state) => state.selection)
  const isDraggable = useCan('startDrag')
  const { look, columns, linePx, lines, virtual } = drawn
  const shown = virtual.getVirtualItems()
  return (
    <div key={i18next.language} className="jobs-whole" style={{ height: virtual.getTotalSize() }}>
      <div className="jobs-shown" style={{ transform: `translateY(${shown[0]?.start ?? 0}px)` }}>
        {shown.map(({ index: line }) => {
          const { item, count } = lines!.itemsOf(line)
          const section = index.sectionOf(item)
          if (section === null) return null
          if (lines!.isHead(line)) {
            const isFolded = index.isFolded(section.key)
            const isFocus = focus === `#${section.key}`
            return <GroupHead key={`#${section.key}`} {...{ section, line, isFolded, isFocus }} />
          }
          const tiles = index
            .idsBetween(item, item + count - 1)
            .map((id) => (
              <JobTile
                key={id}
                id={id}
                line={line}
                look={look}
                isChosen={ids.has(id)}
                isFocus={focus === id}
                isDraggable={isDraggable}
                folder={section.title}
              />
            ))
          if (look === 'list') return tiles
          return (
            <div
              key={line}
              className="jobs-tiles"
              role="row"
              aria-rowindex={line + 1}
              style={{ height: linePx, gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
            >
              {tiles}
            </div>
          )
        })}
      </div>
    </div>
  )
}

const nameOf = (target: EventTarget) =>
  target instanceof Element ? (target.closest<HTMLElement>('[data-name]')?.dataset.name ?? null) : null
const isOn = (target: EventTarget, what: string) => target instanceof Element && target.closest(what) !== null

/** A click opens the picture; with Ctrl or Shift, or on its check mark, it selects. The links react to other mouse buttons alone. */
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

/** For the picture under the pointer or, by key, the focused one; one that is not selected becomes the only one. */
function menuPoint(event: React.MouseEvent): MenuPoint | null {
  const byKey = event.target === event.currentTarget
  const id = byKey ? jobInFocus() : nameOf(event.target)
  if (id === null || isHeadName(id)) return null
  event.preventDefault()
  if (!useJobs.getState().selection.ids.has(id)) selectJobs(chooseOnly(id))
  if (!byKey) return { id, byKey, x: event.clientX, y: event.clientY }
  const { left, bottom } = document.getElementById(`job-${id}`)?.getBoundingClientRect() ?? { left: 0, bottom: 0 }
  return { id, byKey, x: left, y: bottom }
}

function onDragStart(event: React.DragEvent): void {
  const name = nameOf(event.target)
  // The shell drags the files; the browser's own drag would show the page's elements.
  event.preventDefault()
  if (name === null || isHeadName(name)) return
  const { ids } = useJobs.getState().selection
  inBackground(() => dragOut(ids.has(name) ? [...ids] : [name]))
}

function PendingPill() {
  const pending = useJobs((state) => state.pending)
  if (pending === null) return null
  const text = pending === 0 ? t('jobs:changed') : t('jobs:pending', { count: pending })
  return (
    <button type="button" className="jobs-pill figures" onClick={showPendingJobs}>
      <ArrowUp size={12} aria-hidden />
      {text}
    </button>
  )
}

/** Keeps the lines in place while the pointer moved over the list, the focus is in it, or it is scrolled down. */
function useHeldList(isScrolled: boolean) {
  const [hasPointer, setPointer] = useState(false)
  const [hasFocus, setFocus] = useState(false)
  useEffect(() => holdList(hasPointer || hasFocus || isScrolled), [hasPointer, hasFocus, isScrolled])
  useEffect(() => () => holdList(false), [])
  return {
    onPointerMove: ({ movementX, movementY }: PointerEvent) => {
      if (movementX !== 0 || movementY !== 0) setPointer(true)
    },
    onPointerLeave: () => setPointer(false),
    onFocus: () => setFocus(true),
    onBlur: () => setFocus(false),
  }
}
