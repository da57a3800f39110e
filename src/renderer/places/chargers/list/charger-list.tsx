import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useShallow } from 'zustand/react/shallow'
import type { ChargerRow } from '../data/protocol.ts'
import { siteMark } from '../map/mark.ts'
import { shownMap } from '../map/shown-map.ts'
import { useRouteWords } from '../route/route-words.ts'
import { choose, highlight } from '../store/chargers-actions.ts'
import { useChargers } from '../store/chargers-store.ts'
import { PlaceLink } from '../../../parts/place-link.tsx'
import { useView } from '../../../store/view-store.ts'
import { useWords } from '../use-words.ts'
import { ChargerLine } from './charger-line.tsx'
import { listMove } from './list-move.ts'
import { useRows } from './use-rows.ts'
import './list.css'

const LINE_PX = 68
/** How far from the edge of the map a charger chosen in the list has to be. */
const REVEAL_PX = 60

/** A virtual list of the filtered chargers; it makes every charger reachable by keyboard. */
export function ChargerList() {
  const { t } = useTranslation('chargers')
  const words = useWords()
  const routeWords = useRouteWords()
  const box = useRef<HTMLDivElement>(null)
  const { lines, shown, rowAt } = useShownRows(box)
  const { count } = lines.options
  const [active, setActive] = useState(0)
  useTop(box, () => setActive(0))
  const onKeyDown = (event: React.KeyboardEvent) => {
    const page = Math.max(1, Math.floor((lines.scrollRect?.height ?? 0) / LINE_PX) - 1)
    const to = listMove(event.key, active, count, page)
    const row = rowAt(to ?? active)
    if (to !== null) {
      setActive(to)
      lines.scrollToIndex(to, { align: 'auto' })
      if (row !== null) highlightRow(row)
    } else if (event.key === 'Enter' || event.key === ' ') {
      if (row !== null) chooseRow(row)
    } else return
    event.preventDefault()
  }
  return (
    <div
      ref={box}
      className="chargers-list"
      role="listbox"
      aria-label={t('list')}
      aria-activedescendant={rowAt(active) === null ? undefined : `charger-${active}`}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onBlur={() => highlight(null)}
      onMouseLeave={() => highlight(null)}
    >
      <div className="chargers-list-whole" role="presentation" style={{ height: lines.getTotalSize() }}>
        {shown.map(({ index, start }) => {
          const row = rowAt(index)
          return row === null ? null : (
            <ChargerOption
              key={row.id}
              row={row}
              at={{ index, count, topPx: start }}
              isActive={index === active}
              // The list keeps the focus: its lines come and go while it scrolls.
              onPress={() => box.current?.focus()}
              onChoose={() => setActive(index)}
            >
              <ChargerLine row={row} words={words} routeWords={routeWords} />
            </ChargerOption>
          )
        })}
      </div>
    </div>
  )
}

/** The lines that are in view, or nearly, and the rows that have arrived for them. */
function useShownRows(box: React.RefObject<HTMLDivElement | null>) {
  const lines = useVirtualizer({
    count: useChargers(({ found }) => found?.matches ?? 0),
    getScrollElement: () => box.current,
    estimateSize: () => LINE_PX,
    overscan: 6,
  })
  const shown = lines.getVirtualItems()
  return { lines, shown, rowAt: useRows(shown[0]?.index ?? 0, shown.at(-1)?.index ?? 0) }
}

/** A line of the list as a link to its charger. */
function ChargerOption({
  row,
  at: { index, count, topPx },
  isActive,
  onPress,
  onChoose,
  children,
}: {
  row: ChargerRow
  at: { index: number; count: number; topPx: number }
  isActive: boolean
  onPress: () => void
  onChoose: () => void
  children: ReactNode
}) {
  const { key } = siteMark(row.site, null)
  const isHighlighted = useChargers(({ highlighted }) => highlighted?.key === key)
  const isChosen = useView(({ charger }) => charger?.kind === 'charger' && charger.id === row.id)
  const marks = [isHighlighted ? 'highlighted' : '', isActive ? 'active' : '', isChosen ? 'chosen' : '']
  return (
    <PlaceLink
      to={{ place: 'chargers', charger: { kind: 'charger', id: row.id, fromSite: null } }}
      id={`charger-${index}`}
      className={`chargers-line ${marks.join(' ')}`}
      role="option"
      aria-selected={isChosen}
      aria-posinset={index + 1}
      aria-setsize={count}
      style={{ transform: `translateY(${topPx}px)` }}
      tabIndex={-1}
      draggable={false}
      onMouseEnter={() => highlightRow(row)}
      onMouseDown={(event) => {
        if (event.button !== 0) return
        event.preventDefault()
        onPress()
      }}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        onChoose()
        chooseRow(row)
      }}
    >
      {children}
    </PlaceLink>
  )
}

function highlightRow({ site, at }: ChargerRow): void {
  highlight(siteMark(site, at))
}

function chooseRow({ id, at }: ChargerRow): void {
  choose({ kind: 'charger', id, fromSite: null })
  if (at !== null) shownMap()?.reveal(at, REVEAL_PX)
}

/** Scrolls to the top when a new question gets its first answer; a repeated question keeps the position. */
function useTop(box: React.RefObject<HTMLDivElement | null>, onTop: () => void): void {
  const question = useChargers(
    useShallow(({ filter, search, sort, from, origin, ring, arrival }) => ({
      filter,
      search,
      sort,
      from,
      origin: sort === 'distance' && from === null ? origin : null,
      ring: ring !== null && ring.only ? ring : null,
      arrival: arrival !== null && arrival.only ? arrival : null,
    })),
  )
  const atTop = useEffectEvent(onTop)
  useEffect(() => {
    box.current?.scrollTo({ top: 0 })
    atTop()
  }, [box, question])
}
