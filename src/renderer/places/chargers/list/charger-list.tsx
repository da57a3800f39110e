import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState } from 'react'
import type { ComponentProps, KeyboardEvent, MouseEvent, RefObject } from 'react'
import { t } from 'i18next'
import type { PreparedCharger } from '../../../../shared/chargers/prepare.ts'
import { shownMap } from '../map/charger-map.ts'
import { choose, highlight, clearFilters } from '../store/chargers-actions.ts'
import { chargerIndex, markOf, useChargers, SORTS } from '../store/chargers-store.ts'
import { copyText } from '../../../store/copy-text.ts'
import { useContextMenu } from '../../../parts/menu.tsx'
import { PlaceLink } from '../../../parts/place-link.tsx'
import { useStateOf } from '../../../parts/use-state-of.ts'
import { useView } from '../../../store/view-store.ts'
import { openRoute } from '../route/route-store.ts'
import * as words from '../charger-words.ts'
import { ChargerLine } from './charger-line.tsx'
import './list.css'
import { X } from 'lucide-react'
import { Button } from '../../../parts/button.tsx'
import { Select } from '../../../parts/field.tsx'
import { queryOfFilter, useFilter } from '../store/filter-query.ts'

const LINE_PX = 56

export function ChargerList() {
  const box = useRef<HTMLDivElement>(null)
  const found = useChargers((view) => view.found)
  const count = found?.matches ?? 0
  const lines = useVirtualizer({ count, getScrollElement: () => box.current, estimateSize: () => LINE_PX, overscan: 6 })
  // Another question begins at the top; the same one, asked again, stays where it is.
  const question = found?.question ?? ''
  const [active, setActive] = useStateOf(question, 0)
  useTop(box, question)
  const move = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor((lines.scrollRect?.height ?? 0) / LINE_PX) - 1)
    const step = stepOf(event.key, count, page)
    const to = Math.min(Math.max(active + (step ?? 0), 0), count - 1)
    const one = chargerIndex.row(to)
    if (step !== undefined) {
      setActive(to)
      lines.scrollToIndex(to, { align: 'auto' })
      if (one !== null) highlight(markOf(one))
    } else if (event.key === 'Enter' || event.key === ' ') {
      if (one !== null) chooseOne(one)
    } else return
    event.preventDefault()
  }
  const { onContextMenu, menu } = useChargerMenu(active)
  return (
    <>
      {menu}
      <div
        ref={box}
        className="chargers-list"
        role="listbox"
        aria-label={t('common:places.chargers')}
        aria-activedescendant={chargerIndex.row(active) === null ? undefined : `charger-${active}`}
        tabIndex={0}
        onKeyDown={move}
        onBlur={() => highlight(null)}
        onMouseDown={keepFocus}
        onContextMenu={onContextMenu}
        onMouseLeave={() => highlight(null)}
      >
        <div className="chargers-list-whole" role="presentation" style={{ height: lines.getTotalSize() }}>
          {lines.getVirtualItems().map(({ index, start }) => {
            const one = chargerIndex.row(index)
            return one === null ? null : (
              <ChargerOption
                key={one.charger.id}
                one={one}
                at={{ index, count, topPx: start }}
                isActive={index === active}
                onChoose={() => setActive(index)}
              />
            )
          })}
        </div>
      </div>
    </>
  )
}

function useTop(box: RefObject<HTMLElement | null>, question: string): void {
  useEffect(() => {
    // In braces: newer browsers return a promise, which must not end an effect.
    box.current?.scrollTo({ top: 0 })
  }, [box, question])
}

function useChargerMenu(active: number) {
  const [one, setOne] = useState<PreparedCharger | null>(null)
  const { onContextMenu, menu } = useContextMenu(one === null ? [] : itemsOf(one))
  return {
    menu,
    onContextMenu: (event: MouseEvent<HTMLElement>) => {
      const line = event.target instanceof Element ? event.target.closest('.chargers-line') : null
      const pointed = chargerIndex.row(line === null ? active : Number(line.id.slice(line.id.indexOf('-') + 1)))
      setOne(pointed)
      if (pointed !== null) onContextMenu(event)
    },
  }

  function itemsOf({ charger, place }: PreparedCharger) {
    const name = words.name(charger)
    const toRoute = (end: 'to' | 'from') => () => place !== null && openRoute({ [end]: { name, place } })
    return [
      { label: t('chargers:route.toHere'), disabled: place === null, onSelect: toRoute('to') },
      { label: t('chargers:route.fromHere'), disabled: place === null, onSelect: toRoute('from') },
      null,
      { label: t('chargers:copyName'), onSelect: () => copyText(name) },
    ]
  }
}

/** The list keeps the focus: its lines come and go while it scrolls. */
function keepFocus(event: MouseEvent<HTMLElement>): void {
  if (event.button !== 0) return
  event.preventDefault()
  event.currentTarget.focus()
}

const stepOf = (key: string, count: number, page: number): number | undefined =>
  ({ ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -count, End: count })[key]

function ChargerOption(given: {
  one: PreparedCharger
  at: { index: number; count: number; topPx: number }
  isActive: boolean
  onChoose: () => void
}) {
  const { one, at, isActive, onChoose } = given
  const { index, count, topPx } = at
  const { id } = one.charger
  const mark = markOf(one)
  const isHighlighted = useChargers(({ highlighted }) => highlighted?.key === mark.key)
  const isChosen = useView(({ charger }) => charger?.kind === 'charger' && charger.id === id)
  const marks = [isHighlighted ? 'highlighted' : '', isActive ? 'active' : '', isChosen ? 'chosen' : '']
  return (
    <PlaceLink
      to={{ place: 'chargers', charger: { kind: 'charger', id, fromSite: null } }}
      id={`charger-${index}`}
      className={`chargers-line ${marks.join(' ')}`}
      role="option"
      aria-selected={isChosen}
      aria-posinset={index + 1}
      aria-setsize={count}
      style={{ transform: `translateY(${topPx}px)` }}
      tabIndex={-1}
      draggable={false}
      onMouseEnter={() => highlight(mark)}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        onChoose()
        chooseOne(one)
      }}
    >
      <ChargerLine one={one} />
    </PlaceLink>
  )
}

function chooseOne({ charger: { id }, place }: PreparedCharger): void {
  choose({ kind: 'charger', id, fromSite: null })
  if (place !== null) shownMap()?.reveal(place)
}

export function SideHead() {
  const found = useChargers((view) => view.found)
  const sort = useChargers((view) => view.sort)
  const isOn = queryOfFilter(useFilter()) !== ''
  const { matches = 0, total = 0 } = found ?? {}
  return (
    <div className="chargers-side-head">
      <div className="row apart">
        <span className="figures" role="status">
          {found === null || total === 0
            ? null
            : matches === total
              ? t('chargers:count', { count: total })
              : t('chargers:countOf', { shown: matches, count: total })}
        </span>
        <Select
          aria-label={t('jobs:sortBy')}
          title={sort === 'distance' ? t('chargers:fromMiddle') : undefined}
          value={sort}
          onChange={(chosen) => useChargers.setState({ sort: chosen })}
          choices={SORTS.map((value) => ({ value, label: t(`chargers:sort.${value}`) }))}
        />
      </div>
      {isOn ? (
        <ClearButton kind="quiet">
          <X size={12} aria-hidden />
          {t('chargers:clear')}
        </ClearButton>
      ) : null}
    </div>
  )
}

/** Clears the search and all filters. The list gets the focus when this goes away with it. */
export function ClearButton(props: ComponentProps<typeof Button>) {
  return <Button data-focus-after=".chargers-list" onClick={clearFilters} {...props} />
}
