import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useShallow } from 'zustand/react/shallow'
import type { ChargerRow } from '../data/row.ts'
import { shownMap } from '../map/charger-map.ts'
import { choose, highlight } from '../store/chargers-actions.ts'
import { chargerSet, siteMark, useChargers } from '../store/chargers-store.ts'
import { PlaceLink } from '../../../parts/place-link.tsx'
import { useView } from '../../../store/view-store.ts'
import { useWords } from '../use-words.ts'
import { ChargerLine } from './charger-line.tsx'
import { listMove } from './list-move.ts'
import './list.css'

const LINE_PX = 68

/** A virtual list of the filtered chargers; it makes every charger reachable by keyboard. */
export function ChargerList() {
  const { t } = useTranslation('chargers')
  const box = useRef<HTMLDivElement>(null)
  const found = useChargers((view) => view.found)
  const count = found?.matches ?? 0
  const lines = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => LINE_PX,
    overscan: 6,
  })
  const rowAt = (index: number) => chargerSet.row(index)
  const [active, setActive] = useState(0)
  useTop(box, () => setActive(0))
  const move = (event: React.KeyboardEvent) => {
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
      onKeyDown={move}
      onBlur={() => highlight(null)}
      onMouseLeave={() => highlight(null)}
    >
      <div className="chargers-list-whole" role="presentation" style={{ height: lines.getTotalSize() }}>
        {lines.getVirtualItems().map(({ index, start }) => {
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
            />
          )
        })}
      </div>
    </div>
  )
}

/** A line of the list as a link to its charger. */
function ChargerOption({
  row,
  at: { index, count, topPx },
  isActive,
  onPress,
  onChoose,
}: {
  row: ChargerRow
  at: { index: number; count: number; topPx: number }
  isActive: boolean
  onPress: () => void
  onChoose: () => void
}) {
  const words = useWords()
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
      <ChargerLine row={row} words={words} />
    </PlaceLink>
  )
}

function highlightRow({ site, at }: ChargerRow): void {
  highlight(siteMark(site, at))
}

function chooseRow({ id, at }: ChargerRow): void {
  choose({ kind: 'charger', id, fromSite: null })
  if (at !== null) shownMap()?.reveal(at)
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
